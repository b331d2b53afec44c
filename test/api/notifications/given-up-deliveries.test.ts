import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { resetDelivery } from '../../../src/areas/notifications/delivery/delivery-store.ts'
import { limitDeliveries } from '../../../src/areas/notifications/delivery/overflow.ts'
import type { Database, Transaction } from '../../../src/platform/database/port.ts'
import type { Query } from '../../../src/platform/database/query.ts'
import { FlakyQueue } from '../../support/flaky-queue.ts'
import { notificationsClient } from '../../support/notifications.ts'
import { append, orderChange } from '../../support/relay.ts'
import type { TestSouk } from '../../support/souk.ts'
import { startWatchedSouk } from '../../support/watched-souk.ts'

const BACKLOG = 5
const PAST_ANY_BACKOFF = 10 * 60_000
const QUEUE = 'given-up'

interface Listed {
  applicationId: string
  destinationId: string
  deliveryId: string
  payload: { OrderChangeNotification: { AmazonOrderId: string } }
}

let souk: TestSouk
let database: Database
const queues = new FlakyQueue()

beforeAll(async () => {
  const sqs = { endpoint: await queues.open(), credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }
  ;({ souk, database } = await startWatchedSouk({
    messaging: { sqs },
    worker: { maxPendingNotifications: BACKLOG },
  }))
  await notificationsClient(souk).listen(QUEUE, 'ORDER_CHANGE')
})
afterAll(() => queues.close())
beforeEach(() => async () => {
  queues.moods.clear()
  souk.clock.advance(PAST_ANY_BACKOFF)
  await souk.idle()
  for (const { applicationId, destinationId, deliveryId } of [...(await list('DEAD')), ...(await list('PENDING'))]) {
    await souk.delete(`/operator/v1/deliveries/${applicationId}/${destinationId}/${deliveryId}`, {
      headers: souk.operator,
    })
  }
})

const list = async (state: string): Promise<Listed[]> =>
  (await souk.get(`/operator/v1/deliveries?state=${state}`, { headers: souk.operator })).json().deliveries
const orders = async (state: string) =>
  (await list(state)).map(({ payload }) => Number(payload.OrderChangeNotification.AmazonOrderId)).sort((a, b) => a - b)

async function appendRejected(count: number) {
  queues.moods.set(QUEUE, 'picky')
  for (let number = 1; number <= count; number++) {
    souk.clock.advance(1)
    const change = orderChange(souk.demo.sellerId, souk.clock.now(), number, { Note: 'PICK-ME-NOT' })
    await append(database, [change])
  }
  await souk.idle()
}

test('of the notifications that a queue rejects, the latest are kept', async () => {
  await appendRejected(BACKLOG + 3)
  expect(await orders('DEAD')).toEqual([4, 5, 6, 7, 8])
})

test('the pending notifications of a queue that rejects others are not given up', async () => {
  queues.moods.set(QUEUE, 'broken')
  for (const number of [1, 2, 3]) await append(database, [orderChange(souk.demo.sellerId, souk.clock.now(), number)])
  await souk.idle()
  const [one] = await list('PENDING')
  await limitDeliveries(database, one as Listed, { most: 1, error: undefined, signal: new AbortController().signal })
  expect(await orders('PENDING')).toEqual([1, 2, 3])
})

test('a given-up notification that the operator retries meanwhile is not deleted', async () => {
  await appendRejected(3)
  const retried = (await list('DEAD'))[0] as Listed
  // As on PostgreSQL, where another transaction can commit between two statements.
  const contended: Pick<Database, 'dialect' | 'read' | 'transact'> = {
    dialect: database.dialect,
    read: (work) => database.read(work),
    transact: (work) =>
      database.transact((tx) => {
        const all = async (query: Query<unknown>) => {
          const rows = await tx.all(query)
          await resetDelivery(tx, retried)
          return rows
        }
        const run = (command: Query<unknown>) => tx.run(command)
        return work({ all, run } as Transaction)
      }),
  }
  const { signal } = new AbortController()
  await limitDeliveries(contended as Database, retried, { most: 0, error: undefined, signal })
  expect(await list('DEAD')).toEqual([])
  expect((await list('PENDING')).map(({ deliveryId }) => deliveryId)).toEqual([retried.deliveryId])
})
