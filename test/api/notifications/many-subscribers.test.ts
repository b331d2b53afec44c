import { beforeAll, expect, test } from 'vitest'
import type { Database } from '../../../src/platform/database/port.ts'
import { EVERY_SELLER } from '../../../src/platform/outbox/outbox.ts'
import {
  arnOf,
  busEvents,
  type NotificationsClient,
  notificationsClient,
  receive,
} from '../../support/notifications.ts'
import { append, orderChange, ordersIn } from '../../support/relay.ts'
import type { TestSouk } from '../../support/souk.ts'
import { addSubscribedSellers, addSubscribers } from '../../support/subscribers.ts'
import { startWatchedSouk } from '../../support/watched-souk.ts'

// More than two fan-out steps.
const MANY = 1_100
// A loaded machine is many times slower than an idle one.
const TIMEOUT_MILLISECONDS = 300_000

let souk: TestSouk
let database: Database
let client: NotificationsClient
beforeAll(async () => {
  ;({ souk, database } = await startWatchedSouk())
  client = notificationsClient(souk)
})

const idsOf = (notifications: Record<string, unknown>[]) =>
  new Set(
    notifications.map(
      ({ NotificationMetadata }) => (NotificationMetadata as { NotificationId: string }).NotificationId,
    ),
  )

test(
  'each of 1,100 applications with a subscription for a seller is notified once and in order',
  async () => {
    const seller = souk.demo.otherSeller.sellerId
    const target = { kind: 'sqs', target: arnOf('followers') } as const
    await client.destination({ sqs: { arn: arnOf('followers') } })
    await addSubscribers(database, seller, { type: 'ORDER_CHANGE', count: MANY, createdAt: souk.clock.now(), target })
    const at = souk.clock.now()
    await append(database, [orderChange(seller, at, 1), orderChange(seller, at, 2)])
    await append(database, [orderChange(seller, at, 3)])
    await souk.idle()
    const received = await receive(souk.queueUrl, 'followers')
    expect(idsOf(received).size).toBe(3 * MANY)
    const byApplication = Map.groupBy(
      received,
      ({ NotificationMetadata }) => (NotificationMetadata as { ApplicationId: string }).ApplicationId,
    )
    expect(byApplication.size).toBe(MANY)
    for (const notifications of byApplication.values()) expect(ordersIn(notifications)).toEqual([1, 2, 3])
  },
  TIMEOUT_MILLISECONDS,
)

test(
  'each of 620 sellers is notified of changed product types once and in order',
  async () => {
    const { applicationId } = souk.demo
    const target = { kind: 'eventBridge', target: '999999999999', region: 'eu-west-1' } as const
    const sellers = await addSubscribedSellers(database, applicationId, {
      type: 'PRODUCT_TYPE_DEFINITIONS_CHANGE',
      count: 620,
      createdAt: souk.clock.now(),
      target,
    })
    const change = (version: string) => ({
      sellerId: EVERY_SELLER,
      type: 'PRODUCT_TYPES_CHANGE',
      occurredAt: souk.clock.now(),
      payload: { version, newProductTypes: [] },
    })
    await append(database, [change('one'), change('two')])
    await souk.idle()
    const received = (await busEvents(souk)).map(
      ({ detail }) => detail.Payload as { AccountId: string; ProductTypeVersion: string },
    )
    // The log contains the last 1,000 events.
    const versions = Map.groupBy(received, ({ AccountId }) => AccountId)
    expect(versions.size).toBe(sellers.length)
    expect(received.filter(({ ProductTypeVersion }) => ProductTypeVersion === 'two')).toHaveLength(sellers.length)
    for (const list of versions.values()) expect(list.at(-1)?.ProductTypeVersion).toBe('two')
  },
  TIMEOUT_MILLISECONDS,
)
