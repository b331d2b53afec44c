import type pg from 'pg'
import type { DatabaseLogger } from './commit-listeners.ts'
import { DatabaseUnavailableError } from './port.ts'
import type { PostgresClient } from './postgres-client.ts'
import { shareNext } from './share-next.ts'

export interface LostConnectionsOptions {
  /** How long a connection may be silent while the server does no work for it. */
  milliseconds: number
  /** Connections that wait for a response, and those that are open for later. */
  list(): { waiting: readonly PostgresClient[]; idle: readonly PostgresClient[] }
  /** Sends a statement on a new connection. */
  ask(text: string): Promise<pg.QueryResult>
  logger: DatabaseLogger | undefined
}

/** A process and a time at which it served this connection: later, its id may be that of another one. */
export const OWN_SESSION = `pg_backend_pid() || ' ' || extract(epoch from clock_timestamp())`

// More have no locks any more: PostgreSQL ends idle transactions itself.
const MAX_ABANDONED = 1_000

/**
 * Connections whose packets are lost while new ones work, as after a firewall has forgotten them. The server waits for a
 * statement while Souk waits for its response, so whatever waits for such a connection would wait until the deadline of
 * a slow statement, and what its transaction has locked would be locked until the deadline of an idle one.
 *
 * Behind a pooler, the sessions of its clients are not known.
 */
export class LostConnections {
  readonly #options: LostConnectionsOptions
  readonly #abandoned = new Set<string>()

  constructor(options: LostConnectionsOptions) {
    this.#options = options
  }

  /** Finds out whether connections that wait for a response are lost, and cuts those that are. */
  readonly look = shareNext(() => this.#look())

  async #look(): Promise<void> {
    try {
      // One that is not configured is lost if a newer one responds.
      const isKnown = ({ session, isConfigured }: PostgresClient) => session !== undefined || !isConfigured
      const late = this.#options.list().waiting.filter((client) => client.isLate && isKnown(client))
      const busy = await this.#findBusy(late)
      // Others may have got their response meanwhile.
      const lost = late.filter((client) => client.isLate && !busy.has(client.session))
      if (lost.length > 0) this.#cut(lost)
    } catch {
      // They are looked at again.
    }
  }

  /** The connection was given up while it was used. Its session may still be there, with its locks. */
  abandon({ session }: PostgresClient): void {
    if (session === undefined) return
    const [oldest] = this.#abandoned
    if (oldest !== undefined && this.#abandoned.size >= MAX_ABANDONED) this.#abandoned.delete(oldest)
    this.#abandoned.add(session)
  }

  /** Ends the sessions of abandoned connections: before other work, which may need their locks. */
  async endAbandoned(send: (text: string) => Promise<unknown>): Promise<void> {
    if (this.#abandoned.size === 0) return
    const sessions = [...this.#abandoned]
    this.#abandoned.clear()
    try {
      await send(`select pg_terminate_backend(pid) ${fromActivityOf(sessions)}`)
    } catch (error) {
      if (error instanceof DatabaseUnavailableError) {
        for (const session of sessions) this.#abandoned.add(session)
        throw error
      }
      this.#options.logger?.warn({ err: error }, 'cannot end sessions of PostgreSQL whose connections are lost')
    }
  }

  /** Sessions that work, or have worked just now, so that the response may be on its way. */
  async #findBusy(clients: readonly PostgresClient[]): Promise<ReadonlySet<string | undefined>> {
    if (clients.length === 0) return new Set()
    // Less than the time a client waits: the server became idle after the statement had arrived.
    const onItsWay = this.#options.milliseconds / 2
    const isIdle = `state like 'idle%' and state_change < clock_timestamp() - interval '${onItsWay} ms'`
    const sessions = clients.flatMap(({ session }) => session ?? [])
    const { rows } = await this.#options.ask(`select session ${fromActivityOf(sessions)} where not (${isIdle})`)
    return new Set(rows.map(({ session }) => session))
  }

  #cut(lost: readonly PostgresClient[]): void {
    const { list, logger } = this.#options
    const { idle } = list()
    logger?.warn(
      { lost: lost.length, idle: idle.length },
      'the packets of connections to PostgreSQL are lost; replacing them, and those that are idle',
    )
    const reason = new Error('PostgreSQL waits for a statement while Souk waits for its response')
    // Those would only be found out one after the other, by the work that gets them.
    for (const client of [...lost, ...idle]) client.cut(reason)
  }
}

/** What the server still has of these sessions. They have no quotes: see `OWN_SESSION`. */
const fromActivityOf = (sessions: readonly string[]) => `
  from unnest(array[${sessions.map((session) => `'${session}'`)}]::text[]) as session
  join pg_stat_activity on pid = split_part(session, ' ', 1)::int
    and backend_start <= to_timestamp(split_part(session, ' ', 2)::float8)`
