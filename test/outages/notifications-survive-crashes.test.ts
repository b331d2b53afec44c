import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { demo } from '../../src/dev/demo/index.ts'
import { createPostgresDatabase } from '../support/databases.ts'
import { FlakyQueue } from '../support/flaky-queue.ts'
import { createNotificationMarketplace, orderNumberIn } from '../support/notified-marketplace.ts'
import { startSoukProcess, temporaryFolder } from '../support/souk-process.ts'
import { pollUntil } from '../support/stored-state.ts'

const ORDERS = 300

const queues = new FlakyQueue()
let aws: Record<string, string>
beforeAll(async () => {
  aws = { SOUK_SQS_ENDPOINT: await queues.open(), AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' }
})
afterAll(() => queues.close())

let queue = ''
let tests = 0
beforeEach(() => {
  queue = `queue-${++tests}`
  queues.moods.clear()
})

const metadata = ({ NotificationMetadata }: Record<string, unknown>) => NotificationMetadata as Record<string, string>
const arrived = () => queues.bodies(queue).map((body) => metadata(body).NotificationId)
const orders = () => queues.bodies(queue).map(orderNumberIn)
const all = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
const inOrder = (numbers: number[]) => [...new Set(numbers)].sort((one, other) => one - other)

/** A process killed now has sent messages without recording that they arrived. */
async function untilSentButNotRecorded() {
  await pollUntil(() => arrived().length > 0)
}

describe('souk dev', () => {
  async function start(folder: string) {
    const souk = startSoukProcess(['dev', '--quiet', '--port', '0', '--data', folder], { env: aws })
    const [, url = ''] = await souk.waitFor(/^souk \S+ at (http:\S+)$/m)
    return { souk, url }
  }

  test('killed between sending and recording it, sends the same again, and loses nothing', async () => {
    const folder = temporaryFolder()
    const first = await start(folder)
    const stall = await createNotificationMarketplace(first.url, demo.operatorKey, queue)
    queues.moods.set(queue, 'silent')
    await stall.sell(first.url, 1, ORDERS)
    await untilSentButNotRecorded()
    await first.souk.stop('SIGKILL')
    const before = new Set(arrived())

    queues.moods.clear()
    await start(folder)
    await pollUntil(() => inOrder(orders()).length === ORDERS)
    expect(inOrder(orders())).toEqual(all(ORDERS))
    // Duplicates have the same id.
    expect(new Set(arrived()).size).toBe(ORDERS)
    expect(before.size).toBeGreaterThan(0)
  })

  test('stopped and started, sends everything once', async () => {
    const folder = temporaryFolder()
    const first = await start(folder)
    const stall = await createNotificationMarketplace(first.url, demo.operatorKey, queue)
    await stall.sell(first.url, 1, ORDERS)
    await untilSentButNotRecorded()
    expect(await first.souk.stop()).toMatchObject({ code: 0, stderr: '' })
    const second = await start(folder)
    await stall.sell(second.url, ORDERS + 1, ORDERS + 10)
    await pollUntil(() => orders().length >= ORDERS + 10)
    expect(orders().toSorted((one, other) => one - other)).toEqual(all(ORDERS + 10))
  })
})

describe('souk worker', () => {
  async function startPlace() {
    const env = {
      ...aws,
      SOUK_DATABASE_URL: await createPostgresDatabase('schema'),
      SOUK_DOCUMENTS_URL: pathToFileURL(temporaryFolder()).href,
      SOUK_PUBLIC_URL: 'https://souk.example',
      SOUK_OPERATOR_KEY: 'an-operator-key-for-tests',
      SOUK_SIGNING_SECRET: 'a-signing-secret-for-tests',
      SOUK_HOST: '127.0.0.1',
      SOUK_PORT: '0',
      SOUK_RATES: 'off',
      SOUK_WORKER_LEASE_SECONDS: '3',
      SOUK_AWS_TIMEOUT_SECONDS: '1',
    }
    const serve = startSoukProcess(['serve'], { env })
    const [, url = ''] = await serve.waitFor(/"url":"([^"]+)","msg":"server listening"/)
    const stall = await createNotificationMarketplace(url, env.SOUK_OPERATOR_KEY, queue)
    const startWorker = async () => {
      const worker = startSoukProcess(['worker'], { env })
      await worker.waitFor(/worker started/)
      return worker
    }
    return { url, stall, startWorker }
  }

  test('killed between sending and recording it, is replaced by another that loses nothing', async () => {
    const { url, stall, startWorker } = await startPlace()
    queues.moods.set(queue, 'silent')
    const worker = await startWorker()
    await stall.sell(url, 1, ORDERS)
    await untilSentButNotRecorded()
    await worker.stop('SIGKILL')
    queues.moods.clear()
    await startWorker()
    await pollUntil(() => inOrder(orders()).length === ORDERS)
    expect(inOrder(orders())).toEqual(all(ORDERS))
    expect(new Set(arrived()).size).toBe(ORDERS)
  })

  test('next to another worker, sends everything once', async () => {
    const { url, stall, startWorker } = await startPlace()
    await Promise.all([startWorker(), startWorker()])
    for (let from = 1; from <= ORDERS; from += 50) await stall.sell(url, from, from + 49)
    await pollUntil(() => orders().length >= ORDERS)
    expect(orders().toSorted((one, other) => one - other)).toEqual(all(ORDERS))
  })
})
