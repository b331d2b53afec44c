import { afterAll, beforeAll, expect, test } from 'vitest'
import { defaultDeadlines } from '../../src/platform/aws/deadlines.ts'
import { FlakyQueue } from '../support/flaky-queue.ts'
import { type NotificationsClient, notificationsClient, sqs } from '../support/notifications.ts'
import { startTestSouk, type TestSouk } from '../support/souk.ts'
import { waitFor } from '../support/wait-for.ts'

const SILENT = 64
// Far above the time of a delivery on a busy machine: one that takes longer has waited for a silent queue.
const DEADLINE_MILLISECONDS = 8_000
const FIVE_MINUTES = 5 * 60_000

let souk: TestSouk
let client: NotificationsClient
const queues = new FlakyQueue()

beforeAll(async () => {
  const deadlines = {
    ...defaultDeadlines,
    callMilliseconds: DEADLINE_MILLISECONDS,
    transferMilliseconds: DEADLINE_MILLISECONDS,
  }
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  souk = await startTestSouk({ messaging: { sqs: { endpoint: await queues.open(), credentials, deadlines } } })
  client = notificationsClient(souk)
})
afterAll(() => queues.close())

const notify = async (destinationId: string) => {
  const response = await client.test('ORDER_CHANGE', destinationId, '1.0')
  expect(response.statusCode, response.body).toBe(200)
}
async function arrivalAt(queue: string, count: number): Promise<number> {
  const began = performance.now()
  await waitFor(
    () => queues.bodies(queue).length,
    (seen) => seen === count,
  )
  return performance.now() - began
}

test('64 silent queues neither block a healthy queue nor prevent the service from stopping', async () => {
  const silent: string[] = []
  for (let index = 0; index < SILENT; index++) {
    queues.moods.set(`silent-${index}`, 'hanging')
    silent.push(await client.destination(sqs(`silent-${index}`)))
  }
  const healthy = await client.destination(sqs('healthy'))
  for (const destinationId of silent) await notify(destinationId)
  await waitFor(
    () => queues.requests,
    (requests) => requests > 0,
  )

  // The relay does not know yet which queues are silent, so delivery may take two rounds.
  await notify(healthy)
  await arrivalAt('healthy', 1)
  await waitFor(
    () => queues.requests,
    (requests) => requests > SILENT,
  )
  await souk.idle()

  for (let round = 2; round <= 4; round++) {
    const { requests } = queues
    souk.clock.advance(FIVE_MINUTES)
    // All of them are due again, and have been for longer than the healthy one.
    await waitFor(
      () => queues.requests,
      (seen) => seen > requests,
    )
    await notify(healthy)
    expect(await arrivalAt('healthy', round)).toBeLessThan(DEADLINE_MILLISECONDS)
  }

  const began = performance.now()
  await souk.stop()
  expect(performance.now() - began).toBeLessThan(2 * DEADLINE_MILLISECONDS)
})
