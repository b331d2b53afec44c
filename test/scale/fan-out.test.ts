import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { append, orderChange } from '../support/relay.ts'
import {
  AGGREGATION,
  addSharedProducts,
  addSubscribedSellers,
  addSubscribers,
  productTypesChange,
} from '../support/subscribers.ts'
import {
  APPLICATION,
  countDeliveries,
  databases,
  expectEachNotifiedOnce,
  expectOthersDoNotWait,
  type Marketplace,
  openMarketplace,
  relayAll,
  startRelay,
} from './marketplaces.ts'

const TYPE = 'PRODUCT_TYPE_DEFINITIONS_CHANGE'
const EVENT_BUS = { kind: 'eventBridge', target: '999999999999', region: 'eu-west-1' } as const
const QUEUE = { kind: 'sqs', target: 'arn:aws:sqs:us-east-1:123456789012:many' } as const
const createdAt = new Date()

/** Measures a product type change that notifies the given number of sellers. */
async function relayToSellers(open: () => Promise<Marketplace>, sellers: number) {
  const marketplace = await openMarketplace(open)
  const { database } = marketplace
  await addSubscribedSellers(database, APPLICATION, { type: TYPE, count: sellers, createdAt, target: EVENT_BUS })
  await append(database, [productTypesChange('one')])
  const figures = await relayAll(marketplace, `one event for ${sellers} subscribers`)
  await expectEachNotifiedOnce(database, sellers)
  await database.close()
  return figures
}

/** Less than those of 24,000 subscribers, without their payloads, which they share. */
const MEGABYTES_OF_SOME_DELIVERIES = 4

const growthOf = ({ idleMegabytes, mostMegabytes }: Awaited<ReturnType<typeof relayAll>>) =>
  mostMegabytes - idleMegabytes

describe.each(Object.entries(databases))('on %s', (_kind, open) => {
  // The bench has 100,000.
  test('one event reaches 30,000 subscribers with the memory of 6,000, and other writers do not wait', async () => {
    const few = await relayToSellers(open, 6_000)
    const many = await relayToSellers(open, 30_000)
    expect(growthOf(many) - growthOf(few)).toBeLessThan(MEGABYTES_OF_SOME_DELIVERIES)
    expectOthersDoNotWait(many)
  })

  test('a batch of 300 offers reaches 20 sellers with aggregation, and other writers do not wait', async () => {
    const marketplace = await openMarketplace(open)
    const { database } = marketplace
    const subscribers = { type: 'ANY_OFFER_CHANGED', count: 20, createdAt, target: QUEUE, directive: AGGREGATION }
    const sellers = await addSubscribedSellers(database, APPLICATION, subscribers)
    await append(database, await addSharedProducts(database, { products: 300, sellers: sellers.length }))
    const figures = await relayAll(marketplace, '300 offers for 20 sellers with aggregation')
    expect(await countDeliveries(database)).toBe(300 * sellers.length)
    expectOthersDoNotWait(figures)
    await database.close()
  })

  test('killed and concurrent relays notify each of 10,000 subscribers once', async () => {
    const marketplace = await openMarketplace(open)
    const { database } = marketplace
    const SUBSCRIBERS = 10_000
    await addSubscribedSellers(database, APPLICATION, { type: TYPE, count: 1, createdAt, target: EVENT_BUS })
    await addSubscribers(database, 'AMANY000000', {
      type: 'ORDER_CHANGE',
      count: SUBSCRIBERS,
      createdAt,
      target: QUEUE,
    })
    await append(database, [orderChange('AMANY000000', new Date(), 1)])
    let delivered = 0
    for (let killed = 0; killed < 3; killed++) {
      const relays = [startRelay(marketplace), startRelay(marketplace)]
      const before = delivered
      while (delivered === before) delivered = await countDeliveries(database)
      for (const { child } of relays) {
        const exit = once(child, 'exit')
        child.kill('SIGKILL')
        await exit
      }
      delivered = await countDeliveries(database)
    }
    expect(delivered).toBeLessThan(SUBSCRIBERS)
    await Promise.all([startRelay(marketplace), startRelay(marketplace)].map(({ ended }) => ended))
    await expectEachNotifiedOnce(database, SUBSCRIBERS)
    await database.close()
  })
})
