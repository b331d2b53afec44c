import type pg from 'pg'
import { endOfTick } from '../end-of-tick.ts'
import type { PostgresClient } from './postgres-client.ts'

// A connection that is dead is replaced before the check that waits for it gives up.
const RESPONSE_WITHIN_MILLISECONDS = 2_500

export interface Server {
  connectApart(): Promise<PostgresClient>
}

/**
 * A connection besides those of a pool, for short statements that must not wait until long ones end. Opened when it is
 * first used, and kept.
 */
export class PostgresSideConnection {
  readonly #server: Server
  #client: Promise<PostgresClient> | undefined
  #isClosed = false

  constructor(server: Server) {
    this.#server = server
  }

  async send(text: string, responseWithin = RESPONSE_WITHIN_MILLISECONDS): Promise<pg.QueryResult> {
    if (this.#isClosed) throw new Error('The connection was closed')
    this.#client ??= this.#server.connectApart()
    const opened = this.#client
    try {
      return await (await opened).send({ text }, responseWithin)
    } catch (error) {
      if (this.#client === opened) this.discard()
      throw error
    }
  }

  /** The next statement opens a new one. */
  discard(): void {
    this.#client
      ?.then(async (client) => {
        client.unrefSocket()
        // What waited for the connection is sent now, and the driver waits for it.
        await endOfTick()
        // Not awaited: a server that hangs does not close its side.
        return client.end()
      })
      .catch(() => undefined)
    this.#client = undefined
  }

  close(): void {
    this.#isClosed = true
    this.discard()
  }
}
