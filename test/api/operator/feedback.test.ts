import { beforeAll, describe, expect, test } from 'vitest'
import type { Feedback } from '../../../src/marketplace/trade/feedback.ts'
import { buildOrder } from '../../support/orders.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

const OTHER_SELLERS_ORDER_ID = '500-0000000-0000001'
// Orders without feedback.
const FRESH = '500-0000000-0000002'
const ALSO_FRESH = '500-0000000-0000003'

let souk: TestSouk
beforeAll(async () => {
  souk = await startTestSouk()
  const order = (sellerId: string, orderId: string) => buildOrder(souk.clock.now(), { sellerId, orderId })
  const orders = [
    order(souk.demo.otherSeller.sellerId, OTHER_SELLERS_ORDER_ID),
    ...Array.from({ length: 999 }, (_, index) => order(souk.demo.sellerId, numbered(index))),
  ]
  await put('orders', orders)
  await put(
    'orders',
    [FRESH, ALSO_FRESH].map((orderId) => order(souk.demo.sellerId, orderId)),
  )
})

const put = (plural: string, resources: unknown) =>
  souk.put(`/operator/v1/${plural}`, { headers: souk.operator, payload: { [plural]: resources } })
const get = (path: string) => souk.get(`/operator/v1/${path}`, { headers: souk.operator })
const find = (orderId: string, sellerId = souk.demo.sellerId) => get(`feedback/${sellerId}/${orderId}`)
const numbered = (index: number) => `555-0000000-${String(index).padStart(7, '0')}`

const build = (orderId: string, overrides: Partial<Feedback> = {}): Feedback => ({
  sellerId: souk.demo.sellerId,
  orderId,
  submittedAt: '2026-05-20T10:00:00.000Z',
  rating: 4,
  comment: 'Good',
  ...overrides,
})

describe('feedback', () => {
  test('is created and returned unchanged, with times in UTC', async () => {
    const whole = build(numbered(1), { response: 'Thank you', raterEmail: 'buyer@marketplace.example' })
    const response = await put('feedback', [{ ...whole, submittedAt: '2026-05-20T12:00:00+02:00' }])
    expect(response.json()).toEqual({ feedback: [{ sellerId: whole.sellerId, orderId: whole.orderId }] })
    expect((await find(whole.orderId)).json()).toEqual(whole)
  })

  test('exists once per order: the next one replaces it entirely', async () => {
    const orderId = numbered(2)
    await put('feedback', [build(orderId, { response: 'Thank you', raterEmail: 'buyer@marketplace.example' })])
    await put('feedback', [build(orderId, { rating: 1, comment: '' })])
    expect((await find(orderId)).json()).toEqual({
      ...build(orderId),
      rating: 1,
      comment: '',
      response: null,
      raterEmail: null,
    })
  })

  test('can contain any text, and is returned unchanged', async () => {
    const comment = `tab\there\r\nnew line, \u0001\u001b\u007f\u0085\u2028\ufeff, ]]> <b>&amp;</b> "' 👩‍👩‍👧 e\u0301 \uffff ${'ä'.repeat(10)}`
    await put('feedback', [build(numbered(3), { comment, response: comment })])
    expect((await find(numbered(3))).json()).toMatchObject({ comment, response: comment })
  })

  test('can have 5,000 characters of any kind', async () => {
    const comment = '😀'.repeat(5000)
    expect((await put('feedback', [build(numbered(4), { comment })])).statusCode).toBe(200)
    expect((await find(numbered(4))).json().comment).toBe(comment)
  })

  test('is accepted in batches of 1,000, and pages list each exactly once', async () => {
    const { sellerId } = souk.demo.otherSeller
    const feedback = [
      ...Array.from({ length: 999 }, (_, index) => build(numbered(index))),
      build(OTHER_SELLERS_ORDER_ID, { sellerId }),
    ]
    expect((await put('feedback', feedback)).json().feedback).toHaveLength(1000)
    const seen: string[] = []
    let pageToken = ''
    do {
      const page = (await get(`feedback?sellerId=${souk.demo.sellerId}&pageSize=170${pageToken}`)).json()
      for (const one of page.feedback) {
        expect(one.sellerId).toBe(souk.demo.sellerId)
        seen.push(one.orderId)
      }
      pageToken = page.nextToken ? `&pageToken=${page.nextToken}` : ''
    } while (pageToken)
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toEqual([...seen].sort())
    expect(seen.filter((orderId) => orderId.startsWith('555'))).toHaveLength(999)

    const theirs = (await get(`feedback?sellerId=${sellerId}`)).json().feedback as Feedback[]
    expect(theirs.map((one) => one.orderId)).toContain(OTHER_SELLERS_ORDER_ID)
    for (const one of theirs) expect(one.sellerId).toBe(sellerId)
  })

  test("returns 404 for an order without feedback, and for another seller's feedback", async () => {
    await put('feedback', [build(numbered(5))])
    expect(errorOf(await find(numbered(5), souk.demo.otherSeller.sellerId))).toMatchObject({
      status: 404,
      message: 'The feedback was not found.',
    })
    expect(errorOf(await find(souk.demo.orders.notDelivered)).status).toBe(404)
  })

  test.each<[string, (good: Feedback) => unknown, string]>([
    ['an unknown seller', (good) => [good, { ...good, sellerId: 'NOBODY' }], 'feedback[1].sellerId does not exist'],
    [
      'an order that does not exist',
      (good) => [good, { ...good, orderId: '999-0000000-0000000' }],
      'feedback[1].orderId does not exist',
    ],
    [
      "another seller's order",
      (good) => [good, { ...good, orderId: OTHER_SELLERS_ORDER_ID }],
      'feedback[1].orderId does not exist',
    ],
    [
      "another seller's order after that seller's own feedback",
      (good) => [
        { ...good, sellerId: souk.demo.otherSeller.sellerId, orderId: OTHER_SELLERS_ORDER_ID },
        { ...good, orderId: OTHER_SELLERS_ORDER_ID },
      ],
      'feedback[1].orderId does not exist',
    ],
    ['two for the same order', (good) => [good, good], 'feedback[1] is the same as feedback[0]'],
    ['zero stars', (good) => [{ ...good, rating: 0 }], 'feedback[0].rating must be at least 1'],
    ['six stars', (good) => [{ ...good, rating: 6 }], 'feedback[0].rating must be at most 5'],
    ['half a star', (good) => [{ ...good, rating: 2.5 }], 'feedback[0].rating must be an integer'],
    ['no comment', ({ comment: _, ...good }) => [good], 'feedback[0].comment is required'],
    ['5,001 characters', (good) => [{ ...good, comment: 'x'.repeat(5001) }], 'feedback[0].comment'],
    ['an email address without @', (good) => [{ ...good, raterEmail: 'buyer' }], 'feedback[0].raterEmail'],
    ['an unknown key', (good) => [{ ...good, stars: 5 }], 'feedback[0].stars is not allowed'],
    [
      'a NUL character',
      (good) => [good, { ...good, orderId: ALSO_FRESH, comment: 'a\0b' }],
      'feedback[1].comment contains a NUL character',
    ],
    [
      'an unpaired surrogate',
      (good) => [{ ...good, response: '\ud83d' }],
      'feedback[0].response contains a NUL character or an unpaired surrogate',
    ],
  ])('refuses a batch with %s, names the field, and writes nothing', async (_what, buildBatch, details) => {
    const refused = errorOf(await put('feedback', buildBatch(build(FRESH))))
    expect(refused).toMatchObject({ status: 400, code: 'InvalidInput', details: expect.stringContaining(details) })
    for (const orderId of [FRESH, ALSO_FRESH]) expect((await find(orderId)).statusCode).toBe(404)
  })
})
