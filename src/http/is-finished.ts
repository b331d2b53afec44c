import type { ServerResponse } from 'node:http'

/**
 * A response that is cut off does not finish, and one without a socket does not close. A response that waits for an earlier
 * one on its connection has no socket yet, and never gets one if the connection closes.
 */
export const isFinished = (response: ServerResponse): boolean =>
  response.writableFinished || response.destroyed || response.req.socket.destroyed
