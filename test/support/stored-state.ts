import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import pg from 'pg'

export interface StoredReport {
  report_id: string
  status: string
  document_id: string | null
  ended_at: string | null
}

export interface StoredFeed {
  status: string
  applied: number
}

export interface StoredJob {
  failures: number
  lease: string | null
}

/** The state that processes share and leave behind. */
export interface StoredState {
  reports(): Promise<StoredReport[]>
  jobs(): Promise<StoredJob[]>
  feeds(): Promise<StoredFeed[]>
  /** Keeps a copy of each event from now on, because events without subscribers are deleted after a minute. */
  keepEvents(): Promise<void>
  /** Counts the kept events of a type. */
  events(type: string): Promise<number>
  /** The ids of complete documents. */
  documents(): string[]
  /** Files that are partly written. */
  begun(): string[]
}

const REPORTS = 'select report_id, status, document_id, ended_at from reports order by report_id'
const FEEDS = 'select status, cast(applied as integer) as applied from feeds'
const EVENTS = 'select event_type, payload from kept_events'
const KEEP_EVENTS = {
  sqlite: `create table kept_events (event_type text, payload text);
    create trigger keep_events after insert on events
    begin insert into kept_events values (new.event_type, new.payload); end`,
  postgres: `create table kept_events (event_type text, payload text);
    create function keep_event() returns trigger language plpgsql as
    $$ begin insert into kept_events values (new.event_type, new.payload); return null; end $$;
    create trigger keep_events after insert on events for each row execute function keep_event()`,
}
const JOBS = 'select cast(failures as integer) as failures, lease from jobs'

export function readSqliteState(dataFolder: string): StoredState {
  const select = async <Row extends object>(sql: string): Promise<Row[]> => {
    const sqlite = new Sqlite(join(dataFolder, 'souk.db'), { readonly: true })
    try {
      return sqlite.prepare(sql).all() as Row[]
    } finally {
      sqlite.close()
    }
  }
  const keepEvents = async () => {
    const sqlite = new Sqlite(join(dataFolder, 'souk.db'))
    sqlite.exec(KEEP_EVENTS.sqlite)
    sqlite.close()
  }
  return { keepEvents, ...tables(select), ...folder(join(dataFolder, 'documents')) }
}

export function readPostgresState(url: string, documentsFolder: string): StoredState {
  // The pool closes idle connections.
  const pool = new pg.Pool({ connectionString: url, max: 1, idleTimeoutMillis: 200, allowExitOnIdle: true })
  // The database may be gone before the pool has closed one.
  pool.on('error', () => {})
  const select = async <Row extends pg.QueryResultRow>(sql: string) => (await pool.query<Row>(sql)).rows
  const keepEvents = async () => void (await pool.query(KEEP_EVENTS.postgres))
  return { keepEvents, ...tables(select), ...folder(documentsFolder) }
}

/** Concurrent events share a row. */
const typesOf = ({ event_type, payload }: { event_type: string; payload: string }): string[] =>
  event_type === '*' ? JSON.parse(payload).map(([type]: [string]) => type) : [event_type]

const tables = (select: <Row extends object>(sql: string) => Promise<Row[]>) => ({
  reports: () => select<StoredReport>(REPORTS),
  jobs: () => select<StoredJob>(JOBS),
  feeds: () => select<StoredFeed>(FEEDS),
  events: async (type: string) =>
    (await select<{ event_type: string; payload: string }>(EVENTS)).flatMap(typesOf).filter((one) => one === type)
      .length,
})

const folder = (documents: string) => ({
  documents: () => list(join(documents, 'reports')),
  begun: () => list(join(documents, '.incoming')),
})

function list(path: string): string[] {
  try {
    return readdirSync(path).sort()
  } catch {
    return [] // Nothing is written yet.
  }
}

/** Polls the state of other processes, which cannot notify us. */
export async function pollUntil(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await setTimeout(5)
}
