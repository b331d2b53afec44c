import { beforeAll, describe, expect, test } from 'vitest'
import type { Return } from '../../../src/marketplace/trade/returns.ts'
import { buildOrder } from '../../support/orders.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

const ORDER_ID = '500-0000000-0000001'
const OTHER_SELLERS_ORDER_ID = '500-0000000-0000002'

let souk: TestSouk
beforeAll(async () => {
  souk = await startTestSouk()
  const order = (sellerId: string, orderId: string) => {
    const { items, ...rest } = buildOrder(souk.clock.now(), { sellerId, orderId })
    const quantities = { 1: 50, 2: 50 }
    return {
      ...rest,
      items: Object.entries(quantities).map(([orderItemId, quantity]) => ({ ...items[0], orderItemId, quantity })),
    }
  }
  const orders = [
    order(souk.demo.sellerId, ORDER_ID),
    order(souk.demo.otherSeller.sellerId, OTHER_SELLERS_ORDER_ID),
    ...Array.from({ length: 500 }, (_, index) => order(souk.demo.sellerId, numbered(index))),
  ]
  expect((await put('orders', orders)).statusCode).toBe(200)
})

const put = (plural: string, resources: unknown) =>
  souk.put(`/operator/v1/${plural}`, { headers: souk.operator, payload: { [plural]: resources } })
const get = (path: string) => souk.get(`/operator/v1/${path}`, { headers: souk.operator })
const find = (rmaId: string, sellerId = souk.demo.sellerId) => get(`returns/${sellerId}/${rmaId}`)
const numbered = (index: number) => `555-0000000-${String(index).padStart(7, '0')}`

const item = (orderItemId: string, overrides = {}) => ({
  orderItemId,
  quantity: 1,
  reasonCode: 'AMZ-PG-APP-TOO-SMALL',
  ...overrides,
})
const build = (rmaId: string, overrides: Partial<Return> = {}): Return => ({
  sellerId: souk.demo.sellerId,
  rmaId,
  orderId: ORDER_ID,
  requestedAt: '2026-05-20T10:00:00.000Z',
  status: 'Approved',
  items: [item('1')],
  ...overrides,
})

const whole = {
  merchantRmaId: 'MY-7',
  isPrime: true,
  aToZClaim: true,
  returnType: 'B-Returns',
  label: { type: 'AmazonPrePaidLabel', costMinor: 795, carrier: 'UPS', trackingId: '1Z7', paidBy: 'Seller' },
  invoiceNumber: 'RE-1',
  deliveredAt: '2026-05-28T10:00:00.000Z',
  items: [
    item('1', { quantity: 2, inPolicy: false, resolution: 'Exchange', category: 'Shoes', refundMinor: 8990 }),
    item('2', { inPolicy: true, resolution: 'StandardRefund', category: '', refundMinor: 0 }),
  ],
} satisfies Partial<Return>

describe('returns', () => {
  test('are created and returned unchanged, with times in UTC', async () => {
    const written = build('RMA-1', { ...whole, requestedAt: '2026-05-20T12:00:00+02:00' })
    const response = await put('returns', [written])
    expect(response.json()).toEqual({ returns: [{ sellerId: souk.demo.sellerId, rmaId: 'RMA-1' }] })
    expect((await find('RMA-1')).json()).toEqual({ ...written, requestedAt: '2026-05-20T10:00:00.000Z' })
  })

  test('have few required fields and sensible defaults', async () => {
    await put('returns', [build('RMA-2')])
    expect((await find('RMA-2')).json()).toEqual({
      ...build('RMA-2'),
      merchantRmaId: null,
      isPrime: false,
      aToZClaim: false,
      returnType: 'C-Returns',
      label: { type: 'AmazonUnPaidLabel', costMinor: 0, carrier: null, trackingId: null, paidBy: 'Customer' },
      invoiceNumber: null,
      deliveredAt: null,
      items: [item('1', { inPolicy: true, resolution: 'StandardRefund', category: '', refundMinor: 0 })],
    })
  })

  test('are replaced entirely: fields that the new return omits are removed', async () => {
    await put('returns', [build('RMA-3', whole)])
    await put('returns', [build('RMA-3', { items: [item('2')] }), build('RMA-4')])
    const { rmaId: _, ...replaced } = (await find('RMA-3')).json()
    const { rmaId: __, ...fresh } = (await find('RMA-4')).json()
    expect(replaced).toEqual({ ...fresh, items: [{ ...fresh.items[0], orderItemId: '2' }] })
  })

  test('can be written back as returned, without a change', async () => {
    await put('returns', [build('RMA-5')])
    const read = (await find('RMA-5')).json()
    expect((await put('returns', [read])).statusCode).toBe(200)
    expect((await find('RMA-5')).json()).toEqual(read)
  })

  test('written concurrently end as one of the versions, never a mixture', async () => {
    const versions = ['1', '2'].map((id) => build('RMA-6', { invoiceNumber: id, items: [item(id)] }))
    for (let round = 0; round < 5; round++) {
      const responses = await Promise.all(versions.map((version) => put('returns', [version])))
      expect(responses.map((response) => response.statusCode)).toEqual([200, 200])
      const { invoiceNumber, items } = (await find('RMA-6')).json()
      expect(items).toMatchObject([{ orderItemId: invoiceNumber }])
    }
  })

  test('are accepted in batches of 1,000, and pages list each exactly once', async () => {
    const returns = Array.from({ length: 1000 }, (_, index) =>
      build(`T-${String(index).padStart(4, '0')}`, {
        orderId: numbered(index % 500),
        items: index % 2 ? [item('1'), item('2')] : [item('1')],
      }),
    )
    expect((await put('returns', returns)).json().returns).toHaveLength(1000)
    const seen: Return[] = []
    let pageToken = ''
    do {
      const page = (await get(`returns?sellerId=${souk.demo.sellerId}&pageSize=170${pageToken}`)).json()
      seen.push(...page.returns)
      pageToken = page.nextToken ? `&pageToken=${page.nextToken}` : ''
    } while (pageToken)
    const ids = seen.map((one) => one.rmaId)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toEqual([...ids].sort())
    const mine = seen.filter(({ rmaId }) => rmaId.startsWith('T-'))
    expect(mine.map(({ rmaId, items }) => [rmaId, items.length])).toEqual(
      returns.map(({ rmaId, items }) => [rmaId, items.length]),
    )
  })

  test('can be listed per seller', async () => {
    const { sellerId } = souk.demo.otherSeller
    const { returns } = (await get(`returns?sellerId=${sellerId}`)).json()
    expect(returns.length).toBeGreaterThan(0)
    for (const one of returns) expect(one.sellerId).toBe(sellerId)
  })

  test('of two sellers can have the same id', async () => {
    const { sellerId } = souk.demo.otherSeller
    const theirs = build('RMA-7', { sellerId, orderId: OTHER_SELLERS_ORDER_ID, status: 'Rejected' })
    expect((await put('returns', [build('RMA-7'), theirs])).statusCode).toBe(200)
    expect((await find('RMA-7')).json()).toMatchObject({ status: 'Approved', orderId: ORDER_ID })
    expect((await find('RMA-7', sellerId)).json()).toMatchObject({
      status: 'Rejected',
      orderId: OTHER_SELLERS_ORDER_ID,
    })
  })

  test("return 404 if they do not exist or are another seller's", async () => {
    await put('returns', [build('RMA-8')])
    expect(errorOf(await find('RMA-8', souk.demo.otherSeller.sellerId))).toMatchObject({
      status: 404,
      message: 'The return was not found.',
    })
    expect(errorOf(await find('NOTHING')).status).toBe(404)
  })

  test.each<[string, () => unknown, string]>([
    [
      'an unknown seller',
      () => [build('OK-1'), build('BAD', { sellerId: 'NOBODY' })],
      'returns[1].sellerId does not exist',
    ],
    [
      'an order that does not exist',
      () => [build('OK-1'), build('BAD', { orderId: '999-0000000-0000000' })],
      'returns[1].orderId does not exist',
    ],
    [
      "another seller's order",
      () => [build('OK-1'), build('BAD', { orderId: OTHER_SELLERS_ORDER_ID })],
      'returns[1].orderId does not exist',
    ],
    [
      "another seller's order after that seller's own return",
      () => [
        build('OK-1', { sellerId: souk.demo.otherSeller.sellerId, orderId: OTHER_SELLERS_ORDER_ID }),
        build('BAD', { orderId: OTHER_SELLERS_ORDER_ID }),
      ],
      'returns[1].orderId does not exist',
    ],
    [
      'an item that the order does not have',
      () => [build('BAD', { items: [item('1'), item('3')] })],
      'returns[0].items[1].orderItemId is not an item of the order',
    ],
    [
      'more than was ordered',
      () => [build('BAD', { items: [item('1', { quantity: 51 })] })],
      'returns[0].items[0].quantity exceeds the ordered quantity: 50',
    ],
    ['the same item twice', () => [build('BAD', { items: [item('1'), item('1')] })], 'orderItemId is duplicated'],
    ['the same return twice', () => [build('BAD'), build('BAD')], 'returns[1] is the same as returns[0]'],
    ['no items', () => [build('BAD', { items: [] })], 'returns[0].items'],
    [
      'a quantity of zero',
      () => [build('BAD', { items: [item('1', { quantity: 0 })] })],
      'quantity must be at least 1',
    ],
    ['an unknown status', () => [{ ...build('BAD'), status: 'Lost' }], 'status must be one of Pending, Approved'],
    ['an unknown payer', () => [{ ...build('BAD'), label: { paidBy: 'Nobody' } }], 'label.paidBy must be one'],
    ['an unknown key', () => [{ ...build('BAD'), color: 'red' }], 'returns[0].color is not allowed'],
    ['an invalid reason code', () => [build('BAD', { items: [item('1', { reasonCode: 'a b' })] })], 'reasonCode'],
    ['a negative cost', () => [build('BAD', { label: { costMinor: -1 } })], 'returns[0].label.costMinor'],
    ['a day that does not exist', () => [build('BAD', { requestedAt: '2026-02-30' })], 'returns[0].requestedAt'],
    ['an invalid id', () => [build('BAD/1')], 'returns[0].rmaId'],
    [
      'a NUL character',
      () => [build('BAD', { label: { carrier: 'a\0b' } })],
      'returns[0].label.carrier contains a NUL',
    ],
    [
      'an unpaired surrogate',
      () => [build('OK-1'), build('BAD', { items: [item('1', { category: '\ude00' })] })],
      'returns[1].items[0].category contains a NUL character or an unpaired surrogate',
    ],
  ])('refuse a batch with %s, name the field, and write nothing', async (_what, returns, details) => {
    const refused = errorOf(await put('returns', returns()))
    expect(refused).toMatchObject({ status: 400, code: 'InvalidInput', details: expect.stringContaining(details) })
    for (const sellerId of [souk.demo.sellerId, souk.demo.otherSeller.sellerId]) {
      for (const rmaId of ['OK-1', 'BAD']) expect((await find(rmaId, sellerId)).statusCode).toBe(404)
    }
  })
})
