import type { ServerResponse } from 'node:http'

/** A response that is cut off does not finish, and one without a socket does not close. */
export const isFinished = (response: ServerResponse): boolean => response.writableFinished || response.destroyed
