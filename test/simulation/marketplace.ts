import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { openDatabase } from '../../src/composition/adapters.ts'
import { ManualClock } from '../../src/index.ts'
import type { Database } from '../../src/platform/database/port.ts'
import type { IdKind } from '../../src/platform/ids/port.ts'
import { startStandIn } from '../../src/stand-in/stand-in.ts'
import { startPostgres, TEST_TIME } from '../support/postgres-server.ts'

export const START_TIME = TEST_TIME
export const OPERATOR_KEY = 'simulated-operator-key'
export const SIGNING_SECRET = 'souk-dev-signing-secret'
export const US = 'ATVPDKIKX0DER'
export const NOTIFICATIONS = 'sellingpartnerapi::notifications'

export interface SimulatedSeller {
  sellerId: string
  refreshToken: string
}

/** What is in every database at the beginning. */
export interface Marketplace {
  clientId: string
  clientSecret: string
  sellers: SimulatedSeller[]
  /** Orders of the first seller for which a review can be requested. */
  solicitable: string[]
  asins: string[]
  destinations: { sqs: string; eventBridge: string }
}

export interface DatabaseSource {
  marketplace: Marketplace
  open(): Promise<Database>
  close(): Promise<void>
}

/** Triggers keep every event that was ever committed: the relay deletes those that it has fanned out. */
const EVENT_LOG = {
  sqlite: `
    create table simulated_events (position integer primary key autoincrement, seller_id text, event_type text, payload text);
    create trigger simulated_events after insert on events begin
      insert into simulated_events (seller_id, event_type, payload) values (new.seller_id, new.event_type, new.payload);
    end;`,
  postgres: `
    create table simulated_events (position bigserial primary key, seller_id text, event_type text, payload text);
    create function log_event() returns trigger language plpgsql as $$ begin
      insert into simulated_events (seller_id, event_type, payload) values (new.seller_id, new.event_type, new.payload);
      return new;
    end $$;
    create trigger simulated_events after insert on events for each row execute function log_event();`,
}

export async function createSqliteSource(): Promise<DatabaseSource> {
  const folder = mkdtempSync(join(tmpdir(), 'souk-simulation-'))
  const path = join(folder, 'souk.db')
  const marketplace = await fill(path)
  const sqlite = new Sqlite(path)
  sqlite.exec(EVENT_LOG.sqlite)
  // A database in memory cannot have a write-ahead log.
  sqlite.pragma('journal_mode = delete')
  sqlite.close()
  const image = readFileSync(path)
  rmSync(folder, { recursive: true })
  return {
    marketplace,
    open: () => openDatabase({ kind: 'sqlite', path: ':memory:' }, undefined, { image }),
    close: async () => {},
  }
}

export async function createPostgresSource(): Promise<DatabaseSource> {
  const server = await startPostgres(['-c', 'autovacuum=off'])
  const run = async (database: string, sql: string) => {
    const client = new pg.Client(`${server.url}/${database}`)
    await client.connect()
    await client.query(sql)
    await client.end()
  }
  await server.createDatabase('simulation')
  const marketplace = await fill(`${server.url}/simulation`)
  await run('simulation', EVENT_LOG.postgres)
  let opened = 0
  return {
    marketplace,
    async open() {
      const name = `simulation_${++opened}`
      await run('postgres', `create database ${name} template simulation`)
      return openDatabase({ kind: 'postgres', url: `${server.url}/${name}`, poolSize: 8 })
    },
    close: () => server.stop(),
  }
}

/** Loads the demo marketplace, one more seller, and destinations. */
async function fill(database: string): Promise<Marketplace> {
  let made = 0
  const ids = { next: (kind: IdKind) => `setup-${kind}-${++made}` }
  const souk = await startStandIn({ database, clock: new ManualClock(START_TIME), ids, rates: 'off' })
  const { clientId, clientSecret, operatorKey } = souk.demo
  const send = async (method: 'POST' | 'PUT', url: string, headers: Record<string, string>, payload: object) => {
    const response = await souk.inject({ method, url, headers, payload })
    if (response.statusCode >= 300) throw new Error(`${url}: ${response.statusCode} ${response.body}`)
    return response.json()
  }
  const operator = { authorization: `Bearer ${operatorKey}` }
  const participations = [
    { marketplaceId: US, storeName: 'A stall', isParticipating: true, hasSuspendedListings: false },
  ]
  const third = {
    sellerId: 'A3SIMULATEDSEL',
    businessType: 'SOLE_PROPRIETORSHIP',
    sellingPlan: 'INDIVIDUAL',
    participations,
  }
  await send('PUT', '/operator/v1/sellers', operator, { sellers: [third] })
  const { sellerId } = third
  const { applicationId } = souk.demo
  const {
    authorizations: [{ refreshToken }],
  } = await send('PUT', '/operator/v1/authorizations', operator, { authorizations: [{ sellerId, applicationId }] })
  const grant = { grant_type: 'client_credentials', scope: NOTIFICATIONS }
  const { access_token: token } = await send(
    'POST',
    '/auth/o2/token',
    {},
    { ...grant, client_id: clientId, client_secret: clientSecret },
  )
  const createDestination = async (resourceSpecification: object) => {
    const body = { name: 'Simulation', resourceSpecification }
    const { payload } = await send(
      'POST',
      '/notifications/v1/destinations',
      { 'x-amz-access-token': String(token) },
      body,
    )
    return payload.destinationId as string
  }
  const destinations = {
    sqs: await createDestination({ sqs: { arn: 'arn:aws:sqs:us-east-1:123456789012:simulation' } }),
    eventBridge: await createDestination({ eventBridge: { accountId: '123456789012', region: 'us-east-1' } }),
  }
  await souk.idle()
  const { demo } = souk
  await souk.stop()
  return {
    clientId,
    clientSecret,
    sellers: [
      { sellerId: demo.sellerId, refreshToken: demo.refreshToken },
      demo.otherSeller,
      { sellerId, refreshToken },
    ],
    solicitable: [...demo.orders.eligible],
    asins: [...demo.asins],
    destinations,
  }
}
