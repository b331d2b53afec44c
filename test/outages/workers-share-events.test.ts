import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PostgresDatabase } from '../../src/platform/database/postgres-database.ts'
import { createPostgresDatabase } from '../support/databases.ts'
import { FlakyQueue } from '../support/flaky-queue.ts'
import { append, orderChange, ordersIn } from '../support/relay.ts'
import { startSoukProcess, temporaryFolder } from '../support/souk-process.ts'
import { pollUntil } from '../support/stored-state.ts'
import { addApplications, addSubscribedSellers } from '../support/subscribers.ts'

const APPLICATIONS = ['first', 'second', 'third', 'fourth']
const SELLERS_EACH = 10
const ORDERS = 25

const queues = new FlakyQueue()
let endpoint = ''
let documents = ''
beforeAll(async () => {
  documents = temporaryFolder()
  endpoint = await queues.open()
})
afterAll(() => queues.close())

const arnOf = (application: string) => `arn:aws:sqs:us-east-1:123456789012:${application}`

async function openMarketplace() {
  const url = await createPostgresDatabase('schema')
  const database = new PostgresDatabase({ url, poolSize: 4 })
  const createdAt = new Date(Date.now() - 60_000)
  const sellers: string[] = []
  await addApplications(database, APPLICATIONS)
  for (const application of APPLICATIONS) {
    const target = { kind: 'sqs', target: arnOf(application) } as const
    const subscribers = { type: 'ORDER_CHANGE', count: SELLERS_EACH, createdAt, target, prefix: `A${application}` }
    sellers.push(...(await addSubscribedSellers(database, application, subscribers)))
  }
  return { url, database, sellers }
}

async function startWorker(url: string) {
  const env = {
    SOUK_DATABASE_URL: url,
    SOUK_DOCUMENTS_URL: pathToFileURL(documents).href,
    SOUK_PUBLIC_URL: 'https://souk.example',
    SOUK_OPERATOR_KEY: 'an-operator-key-for-tests',
    SOUK_SIGNING_SECRET: 'a-signing-secret-for-tests',
    SOUK_SQS_ENDPOINT: endpoint,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    SOUK_WORKER_LEASE_SECONDS: '3',
    SOUK_AWS_TIMEOUT_SECONDS: '1',
  }
  const worker = startSoukProcess(['worker'], { env })
  await worker.waitFor(/worker started/)
  return worker
}

const idOf = (body: Record<string, unknown>) => (body.NotificationMetadata as { NotificationId: string }).NotificationId
const sellerOf = ({ Payload }: Record<string, unknown>) =>
  (Payload as { OrderChangeNotification: { SellerId: string } }).OrderChangeNotification.SellerId

/** Each notification, when it arrived first. */
const firstArrivals = () => {
  const seen = new Set<string>()
  const isFirst = (body: Record<string, unknown>) => !seen.has(idOf(body)) && seen.add(idOf(body))
  return APPLICATIONS.flatMap((application) => queues.bodies(application)).filter(isFirst)
}

test('two workers of which one is killed send all events, those of each seller in order', async () => {
  const { url, database, sellers } = await openMarketplace()
  const [killed] = await Promise.all([startWorker(url), startWorker(url)])
  const all = sellers.length * ORDERS
  for (let order = 1; order <= ORDERS; order++) {
    await append(
      database,
      sellers.map((seller) => orderChange(seller, new Date(), order)),
    )
    if (order === Math.floor(ORDERS / 2)) {
      await pollUntil(() => queues.received.length > 0)
      await killed?.stop('SIGKILL')
    }
  }
  await startWorker(url)
  await pollUntil(() => queues.received.length >= all && firstArrivals().length === all)
  const inOrder = Array.from({ length: ORDERS }, (_, index) => index + 1)
  const bySeller = Map.groupBy(firstArrivals(), sellerOf)
  expect(bySeller.size).toBe(sellers.length)
  for (const seller of sellers) expect(ordersIn(bySeller.get(seller) ?? [])).toEqual(inOrder)
  await database.close()
})
