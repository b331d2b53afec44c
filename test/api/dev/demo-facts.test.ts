import { beforeAll, expect, test } from 'vitest'
import type { Feedback } from '../../../src/marketplace/trade/feedback.ts'
import type { Order } from '../../../src/marketplace/trade/orders.ts'
import type { Return } from '../../../src/marketplace/trade/returns.ts'
import { startTestSouk, type TestSouk } from '../../support/souk.ts'

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR

let souk: TestSouk
let orders: Map<string, Order>
let returns: Return[]
let feedback: Feedback[]
beforeAll(async () => {
  souk = await startTestSouk()
  const list = async (plural: string) =>
    (await souk.get(`/operator/v1/${plural}?pageSize=1000`, { headers: souk.operator })).json()[plural]
  orders = new Map((await list('orders')).map((order: Order) => [`${order.sellerId} ${order.orderId}`, order]))
  returns = await list('returns')
  feedback = await list('feedback')
})

const orderOf = ({ sellerId, orderId }: Return | Feedback) => orders.get(`${sellerId} ${orderId}`) as Order
const isIn = (marketplaceId: string) => (fact: Return | Feedback) =>
  fact.sellerId === souk.demo.sellerId && orderOf(fact).marketplaceId === marketplaceId
const isTheOthers = ({ sellerId }: Return | Feedback) => sellerId === souk.demo.otherSeller.sellerId
const GERMANY = 'A1PA6795UKMFR9'

test('the demo seller and other sellers have returns of the last sixty days', () => {
  const ages = returns
    .filter(isIn(souk.demo.marketplaceId))
    .map(({ requestedAt }) => souk.clock.now().getTime() - Date.parse(requestedAt))
  expect(ages.length).toBeGreaterThanOrEqual(66)
  expect(Math.min(...ages)).toBe(HOUR)
  expect(Math.max(...ages)).toBeLessThan(59.5 * DAY)
  expect(Math.max(...ages)).toBeGreaterThan(55 * DAY)
  expect(returns.filter(isIn(GERMANY)).length).toBeGreaterThanOrEqual(3)
  expect(returns.filter(isTheOthers).length).toBeGreaterThanOrEqual(3)
})

test('the demo returns are of all kinds, and dated after delivery', () => {
  const different = (pick: (one: Return) => unknown) => new Set(returns.map(pick)).size
  expect(different((one) => one.status)).toBe(5)
  expect(different((one) => one.items[0]?.reasonCode)).toBeGreaterThan(4)
  expect(different((one) => one.items[0]?.resolution)).toBeGreaterThan(2)
  expect(different((one) => one.label?.type)).toBeGreaterThan(1)
  expect(different((one) => one.label?.carrier)).toBeGreaterThan(3)
  expect(new Set(returns.map((one) => one.items.length))).toEqual(new Set([1, 2]))
  for (const one of returns) expect(Date.parse(one.requestedAt)).toBeGreaterThan(deliveryOf(one))
})

test('the demo feedback has all ratings, and comments that are hard to write into a file', () => {
  expect(feedback.filter(({ sellerId }) => sellerId === souk.demo.sellerId).length).toBeGreaterThanOrEqual(25)
  expect(feedback.filter(isIn(GERMANY)).length).toBeGreaterThanOrEqual(3)
  expect(feedback.filter(isTheOthers).length).toBeGreaterThanOrEqual(3)
  expect(new Set(feedback.map(({ rating }) => rating))).toEqual(new Set([1, 2, 3, 4, 5]))
  const comments = feedback.map(({ comment }) => comment)
  for (const hard of [/\t.*\n/s, /]]>/, /<b>.*&/, /\p{Emoji_Presentation}/u, /^$/]) {
    expect(comments).toContainEqual(expect.stringMatching(hard))
  }
  expect(feedback.some(({ response }) => response)).toBe(true)
  for (const one of feedback) {
    expect(Date.parse(one.submittedAt)).toBeGreaterThan(deliveryOf(one))
    expect(Date.parse(one.submittedAt)).toBeLessThan(souk.clock.now().getTime())
  }
})

const deliveryOf = (fact: Return | Feedback) => Date.parse(orderOf(fact).deliveredAt as string)
