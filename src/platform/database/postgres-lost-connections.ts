import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { DatabaseLogger } from './commit-listeners.ts'
import { DatabaseUnavailableError } from './port.ts'
import type { PostgresClient } from './postgres-client.ts'
import { PostgresSideConnection, type Server } from './postgres-side-connection.ts'
import type { Lateness } from './postgres-watchdog.ts'
import { shareNext } from './share-next.ts'

export interface LostConnectionsOptions {
  /** Where to open a connection besides those of the pool. */
  server: Server
  /** How long the server may respond to nothing. */
  silenceMilliseconds: number
  /** All that are open, and whether work uses them. */
  list(): readonly { client: PostgresClient; isInUse: boolean }[]
  logger: DatabaseLogger | undefined
}

type Send = (text: string) => Promise<pg.QueryResult>

const SERVER_START = 'extract(epoch from pg_postmaster_start_time())'
/**
 * A process, a time at which it served this connection, and the start of its server. Later, its id may be that of another
 * process, and on the server that takes over it may be that of an older one.
 */
export const OWN_SESSION = `pg_backend_pid() || ' ' || extract(epoch from clock_timestamp()) || ' ' || ${SERVER_START}`
const PID = `split_part(session, ' ', 1)::int`
const KNOWN_SINCE = `to_timestamp(split_part(session, ' ', 2)::float8)`
/** The server of a connection that is not configured is not known. */
const IS_OF_THIS_SERVER = `split_part(session, ' ', 3) in ('', ${SERVER_START}::text)`

// While a statement is slow, its session is looked at four times per second.
const KEEP_MILLISECONDS = 2_000
const TERMINATION_MILLISECONDS = 1_000
const TERMINATION_LOOK_MILLISECONDS = 10
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
  /** For the connections of the pool. */
  readonly lateness: Lateness
  readonly #options: LostConnectionsOptions
  readonly #connection: PostgresSideConnection
  /** Sessions that may still be there, and whether their commit was sent. */
  readonly #abandoned = new Map<string, boolean>()
  #ending: Promise<void> | undefined
  #closing: NodeJS.Timeout | undefined

  constructor(options: LostConnectionsOptions) {
    this.#options = options
    this.#connection = new PostgresSideConnection(options.server)
    // Sooner than silence, so that the server is not taken for silent, and what is repeated is still in time.
    const milliseconds = options.silenceMilliseconds / 2
    this.lateness = { milliseconds, onQuiet: () => void this.#lookNext() }
  }

  readonly #lookNext = shareNext(() => this.#look())

  /** Finds out which connections that wait for a response are lost, and cuts them. */
  async #look(): Promise<void> {
    const sessions = new Map<PostgresClient, string>()
    const clients = this.#options.list()
    const isDirect = clients.some(({ client }) => client.session !== undefined)
    for (const { client } of clients) {
      const session = client.session ?? (isDirect && !client.isConfigured ? `${client.processID} infinity` : undefined)
      if (client.watchdog.isQuiet && session) sessions.set(client, session)
    }
    if (sessions.size === 0) return
    try {
      const busy = await this.#findBusy([...sessions.values()])
      // Others may have got their response meanwhile.
      const lost = [...sessions].filter(([client, session]) => client.watchdog.isLate && !busy.has(session))
      if (lost.length > 0) this.#cut(lost.map(([client]) => client))
    } catch {
      // They are looked at again.
    }
  }

  /** The connection was given up. Its session may still be there, with its locks. */
  abandon({ session, hasSentCommit }: Pick<PostgresClient, 'session' | 'hasSentCommit'>): void {
    if (session === undefined) return
    const [oldest] = this.#abandoned.keys()
    if (oldest !== undefined && this.#abandoned.size >= MAX_ABANDONED) this.#abandoned.delete(oldest)
    this.#abandoned.set(session, hasSentCommit)
  }

  /** Ends the sessions of abandoned connections: before other work, which may need their locks. */
  async endAbandoned(send: Send): Promise<void> {
    while (this.#abandoned.size > 0) {
      if (this.#ending) {
        await this.#ending.catch(() => {})
        continue
      }
      this.#ending = this.#endAbandoned(send).finally(() => {
        this.#ending = undefined
      })
      await this.#ending
    }
  }

  close(): void {
    clearTimeout(this.#closing)
    this.#connection.close()
  }

  /** A commit that runs may wait for a standby. Ended, it would be seen by all before the standby has it. */
  async #endAbandoned(send: Send): Promise<void> {
    const sessions = [...this.#abandoned]
    const mayRun = sessions.flatMap(([session, hasSentCommit]) => (hasSentCommit ? [session] : []))
    const isOver = `(state like 'idle%' or session <> all (${toArray(mayRun)}))`
    const terminate = `select pg_terminate_backend(pid)
      from unnest(${toArray(sessions.map(([session]) => session))}) as session join pg_stat_activity on pid = ${PID}
      where ${IS_OF_THIS_SERVER} and backend_start <= ${KNOWN_SINCE} and ${isOver}`
    const givesUpAt = performance.now() + TERMINATION_MILLISECONDS
    try {
      // PostgreSQL itself can wait, but in steps of 100 ms, for one session after the other.
      while ((await send(terminate)).rows.length > 0 && performance.now() < givesUpAt)
        await sleep(TERMINATION_LOOK_MILLISECONDS)
    } catch (err) {
      if (err instanceof DatabaseUnavailableError) throw err
      this.#options.logger?.warn({ err }, 'cannot end sessions of PostgreSQL whose connections are lost')
    }
    for (const [session] of sessions) this.#abandoned.delete(session)
  }

  /**
   * Sessions that work, or have worked just now, so that the response may be on its way. Also those of which the server
   * does not say what they do.
   */
  async #findBusy(sessions: readonly string[]): Promise<ReadonlySet<string>> {
    // Less than the time a client waits: the server became idle after the statement had arrived.
    const onItsWay = this.lateness.milliseconds / 2
    const waits = `(state like 'idle%' or wait_event in ('ClientRead', 'ClientWrite'))
      and state_change < clock_timestamp() - interval '${onItsWay} ms'`
    const { rows } = await this.#ask(`
      select session from unnest(${toArray(sessions)}) as session join pg_stat_activity on pid = ${PID}
      where ${IS_OF_THIS_SERVER} and (backend_start <= ${KNOWN_SINCE}) is not false and (${waits}) is not true`)
    return new Set(rows.map(({ session }) => session))
  }

  /**
   * On a connection that may have been kept, and then be lost with those it asks about. So it has little time, and a new
   * one responds before the server is taken for silent.
   */
  async #ask(text: string): Promise<pg.QueryResult> {
    const isKept = this.#closing !== undefined
    clearTimeout(this.#closing)
    this.#closing = setTimeout(() => {
      this.#closing = undefined
      this.#connection.discard()
    }, KEEP_MILLISECONDS)
    this.#closing.unref()
    const send = (responseWithin?: number) => this.#connection.send(text, responseWithin)
    return isKept ? send(this.lateness.milliseconds / 2).catch(() => send()) : send()
  }

  #cut(lost: readonly PostgresClient[]): void {
    const { list, logger } = this.#options
    // Those would only be found out one after the other, by the work that gets them.
    const idle = list().flatMap(({ client, isInUse }) => (isInUse || client.session === undefined ? [] : [client]))
    logger?.warn(
      { lost: lost.length, idle: idle.length },
      'the packets of connections to PostgreSQL are lost; replacing them, and those that are idle',
    )
    const reason = new Error('PostgreSQL waits for a statement while Souk waits for its response')
    for (const client of idle) this.abandon(client)
    for (const client of [...lost, ...idle]) client.cut(reason)
  }
}

/** They have no quotes: see `OWN_SESSION`. */
const toArray = (sessions: readonly string[]) => `array[${sessions.map((session) => `'${session}'`)}]::text[]`
