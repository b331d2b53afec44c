import { Writable } from 'node:stream'
import { pino } from 'pino'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import {
  deleteSubscription,
  findSubscription,
  insertSubscription,
} from '../../../src/areas/notifications/subscriptions/subscription-store.ts'
import type { Database } from '../../../src/platform/database/port.ts'
import type { Expanders } from '../../../src/platform/outbox/expander.ts'
import { readEvents } from '../../../src/platform/outbox/outbox.ts'
import { US } from '../../support/listings.ts'
import {
  type NotificationsClient,
  notificationsClient,
  receive,
  SUBSCRIPTIONS,
  sqs,
} from '../../support/notifications.ts'
import { append } from '../../support/relay.ts'
import { errorOf, type TestSouk } from '../../support/souk.ts'
import { startWatchedSouk } from '../../support/watched-souk.ts'

const TYPE = 'ANY_OFFER_CHANGED'
const PAYLOAD = 'AnyOfferChangedNotification'
/** Each level is a list of six copies of the one before it: 6^8 copies of the payload. */
const COPIES = [...'mopqrstu'].reduceRight((inner, name, level) => {
  const before = 'nmopqrst'[level]
  return `[[${Array(6).fill(before).join(',')}]].all(${name},${inner})`
}, '[u]==[u]')
const HOSTILE = `[${PAYLOAD}].all(n,${COPIES})`
/** A valid expression that visits every combination of three offers. */
const COSTLY = `${PAYLOAD}.Offers.all(a,${PAYLOAD}.Offers.all(b,${PAYLOAD}.Offers.all(c,a.Price>0&&b.Price>0&&c.Price>0)))`

let souk: TestSouk
let database: Database
let hostile: NotificationsClient
let other: NotificationsClient
let logged: Record<string, unknown>[] = []

const offers = Array.from({ length: 60 }, (_, index) => ({ SellerId: `A${index}`, Price: index + 1 }))
const expanders: Expanders = {
  OFFER_CHANGE: {
    produces: [TYPE],
    subjectOf: ({ payload }) => String(payload.asin),
    begin: async () => ({ context: {} }),
    async page(_reader, { payload: { asin: ASIN, marketplaceId: MarketplaceId } }) {
      const notifications = [souk.demo.sellerId, souk.demo.otherSeller.sellerId].map((SellerId) => ({
        key: '',
        sellerId: SellerId,
        type: TYPE,
        payload: { [PAYLOAD]: { SellerId, OfferChangeTrigger: { MarketplaceId, ASIN }, Offers: offers } },
      }))
      return { notifications }
    },
  },
}

beforeAll(async () => {
  const sink = new Writable({
    write(chunk, _encoding, done) {
      logged.push(JSON.parse(String(chunk)))
      done()
    },
  })
  ;({ souk, database } = await startWatchedSouk({ expanders, logger: pino({ level: 'warn' }, sink) }))
  hostile = notificationsClient(souk)
  other = notificationsClient(souk, souk.demo.otherSeller.refreshToken)
})
beforeEach(() => {
  logged = []
})

const offerChange = (asin: string) => ({
  sellerId: souk.demo.sellerId,
  type: 'OFFER_CHANGE',
  occurredAt: souk.clock.now(),
  payload: { marketplaceId: US, asin, sku: 'ANY', conditionType: 'new_new' },
})

/** Subscribes another seller without a filter, and the hostile one; then changes an offer. */
async function changeOffer(name: string, subscribe: (destinationId: string) => Promise<string>) {
  const queue = await hostile.destination(sqs(`${name}-hostile`))
  const subscriptionId = await subscribe(queue)
  const { subscriptionId: othersId } = await other.listen(`${name}-other`, TYPE)
  await append(database, [offerChange('B0AAAAAAAA')])
  await souk.idle()
  const arrived = {
    hostile: await receive(souk.queueUrl, `${name}-hostile`),
    other: await receive(souk.queueUrl, `${name}-other`),
  }
  await hostile.send('DELETE', `${SUBSCRIPTIONS}/${TYPE}/${subscriptionId}`, 'seller')
  await other.send('DELETE', `${SUBSCRIPTIONS}/${TYPE}/${othersId}`, 'seller')
  return { arrived, subscriptionId }
}

test('an expression that nests copies of lists is refused, and no subscription is created', async () => {
  expect(HOSTILE).toHaveLength(229)
  const destinationId = await hostile.destination(sqs('refused'))
  const fields = { payloadVersion: '1.0', destinationId, processingDirective: { filterExpression: HOSTILE } }
  const refused = errorOf(await hostile.createSubscription(TYPE, fields))
  expect(refused).toMatchObject({ status: 400, code: 'InvalidInput' })
  expect(refused.details).toMatch(/position \d+: all\(\) is nested deeper than 3 levels/)
  expect((await hostile.send('GET', `${SUBSCRIPTIONS}/${TYPE}`, 'seller')).statusCode).toBe(404)
})

test('an expression that is too expensive for every notification is refused', async () => {
  const destinationId = await hostile.destination(sqs('refused-too'))
  const list = `[${Array.from({ length: 30 }, () => 1).join(',')}]`
  const filterExpression = `${list}.all(a,${list}.all(b,${list}.all(c,a==c)))`
  const fields = { payloadVersion: '1.0', destinationId, processingDirective: { filterExpression } }
  expect(errorOf(await hostile.createSubscription(TYPE, fields))).toMatchObject({
    status: 400,
    code: 'InvalidInput',
    details: expect.stringContaining('takes more than 10000 steps'),
  })
})

test('a subscription that an earlier release stored with such an expression is not notified; the others are', async () => {
  const { arrived, subscriptionId } = await changeOffer('stored', async (destinationId) => {
    const processingDirective = { filterExpression: `${PAYLOAD}.SellerId == ''` }
    const id = await hostile.subscription(TYPE, destinationId, { processingDirective })
    await storeExpression(id, HOSTILE)
    return id
  })
  expect(arrived.hostile).toEqual([])
  expect(arrived.other).toHaveLength(1)
  expect(await database.read((reader) => readEvents(reader, 1))).toEqual([])
  expect(logged).toContainEqual(expect.objectContaining({ subscriptionId, reason: expect.stringContaining('nested') }))
})

test('a subscription whose filter is too expensive for a notification does not receive it; the others do', async () => {
  const { arrived, subscriptionId } = await changeOffer('costly', (destinationId) =>
    hostile.subscription(TYPE, destinationId, { processingDirective: { filterExpression: COSTLY } }),
  )
  expect(arrived.hostile).toEqual([])
  expect(arrived.other).toHaveLength(1)
  expect(await database.read((reader) => readEvents(reader, 1))).toEqual([])
  expect(logged).toContainEqual(
    expect.objectContaining({ subscriptionId, reason: expect.stringContaining('more than 10000 steps') }),
  )
})

/** Stores an expression that today's createSubscription would refuse. */
async function storeExpression(subscriptionId: string, filterExpression: string): Promise<void> {
  const { applicationId } = souk.demo
  await database.transact(async (tx) => {
    const stored = await findSubscription(tx, applicationId, subscriptionId)
    if (!stored) throw new Error(`There is no subscription ${subscriptionId}`)
    await deleteSubscription(tx, applicationId, subscriptionId)
    await insertSubscription(tx, { ...stored, directive: { filterExpression } })
  })
}
