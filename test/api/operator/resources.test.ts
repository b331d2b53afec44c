import { beforeAll, describe, expect, test } from 'vitest'
import { buildOrder } from '../../support/orders.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
beforeAll(async () => {
  souk = await startTestSouk()
})

const put = (plural: string, payload: object) => souk.put(`/operator/v1/${plural}`, { headers: souk.operator, payload })
const get = (path: string) => souk.get(`/operator/v1/${path}`, { headers: souk.operator })
const order = (orderId: string, overrides = {}) =>
  buildOrder(souk.clock.now(), { sellerId: souk.demo.sellerId, orderId, ...overrides })
const numbered = (index: number) => `555-0000000-${String(index).padStart(7, '0')}`

describe('the operator API', () => {
  test.each([
    ['no key', {}],
    ['a wrong key', { authorization: 'Bearer wrong' }],
    ['another scheme', { authorization: 'Basic c291azpzb3Vr' }],
  ])('refuses %s', async (_what, headers) => {
    expect(errorOf(await souk.get('/operator/v1/sellers', { headers }))).toMatchObject({
      status: 403,
      code: 'Unauthorized',
      details: expect.stringContaining('operator key'),
    })
  })

  test("refuses a seller's token", async () => {
    const token = await souk.tokenFor(souk.demo.refreshToken)
    expect((await souk.get('/operator/v1/sellers', { token })).statusCode).toBe(403)
    const bearer = { authorization: `Bearer ${token}` }
    expect((await souk.get('/operator/v1/sellers', { headers: bearer })).statusCode).toBe(403)
  })
})

describe('orders', () => {
  test('are created, returned unchanged, and replaced', async () => {
    const first = order('500-0000000-0000001', {
      status: 'Unshipped',
      shipTo: { city: 'Leipzig', stateOrRegion: null, postalCode: '04109', countryCode: 'DE' },
      purchasedAt: '2026-05-01T10:00:00+02:00',
    })
    const written = await put('orders', { orders: [first] })
    expect(written.json()).toEqual({ orders: [{ sellerId: first.sellerId, orderId: first.orderId }] })
    const read = (await get(`orders/${first.sellerId}/${first.orderId}`)).json()
    expect(read).toMatchObject({
      ...first,
      purchasedAt: '2026-05-01T08:00:00.000Z',
      updatedAt: '2026-06-01T12:00:00.000Z',
      buyerAcceptsRequests: true,
      shipServiceLevel: 'Standard',
    })

    const items = [
      { ...first.items[0], orderItemId: '7', quantity: 2 },
      { ...first.items[0], orderItemId: '8' },
    ]
    await put('orders', { orders: [{ ...read, status: 'Canceled', items }] })
    const replaced = (await get(`orders/${first.sellerId}/${first.orderId}`)).json()
    expect(replaced.status).toBe('Canceled')
    expect(replaced.items.map((item: { orderItemId: string }) => item.orderItemId)).toEqual(['7', '8'])
  })

  test('can be written repeatedly without a change, and keep their solicitation', async () => {
    const orderId = '500-0000000-0000002'
    await put('orders', { orders: [order(orderId)] })
    const token = await souk.tokenFor(souk.demo.refreshToken)
    const action = `/solicitations/v1/orders/${orderId}/solicitations/productReviewAndSellerFeedback?marketplaceIds=${souk.demo.marketplaceId}`
    expect((await souk.post(action, { token })).statusCode).toBe(201)
    const before = (await get(`orders/${souk.demo.sellerId}/${orderId}`)).json()
    await put('orders', { orders: [order(orderId)] })
    expect((await get(`orders/${souk.demo.sellerId}/${orderId}`)).json()).toEqual(before)
    expect((await souk.post(action, { token })).statusCode).toBe(403)
  })

  test('are accepted in batches of 1,000, and pages list each exactly once', async () => {
    const orders = Array.from({ length: 1000 }, (_, index) => order(numbered(index)))
    expect((await put('orders', { orders })).json().orders).toHaveLength(1000)
    const seen: string[] = []
    let pageToken = ''
    do {
      const page = (await get(`orders?sellerId=${souk.demo.sellerId}&pageSize=150${pageToken}`)).json()
      for (const { orderId, items } of page.orders) {
        if (orderId.startsWith('555')) expect(items).toHaveLength(1)
        seen.push(orderId)
      }
      pageToken = page.nextToken ? `&pageToken=${page.nextToken}` : ''
    } while (pageToken)
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.filter((orderId) => orderId.startsWith('555')).sort()).toEqual(orders.map((one) => one.orderId))
    expect(seen).toEqual([...seen].sort())
  })

  test('can be listed per seller', async () => {
    const { orders } = (await get(`orders?sellerId=${souk.demo.otherSeller.sellerId}`)).json()
    expect(orders.length).toBeGreaterThan(0)
    for (const { sellerId } of orders) expect(sellerId).toBe(souk.demo.otherSeller.sellerId)
  })

  test.each<[string, (id: string) => unknown, string]>([
    ['an unknown key', (id) => [{ ...order(id), color: 'red' }], 'orders[0].color is not allowed'],
    [
      'an unknown key inside an item',
      (id) => [order(id), { ...order(`${id.slice(0, -1)}9`), items: [{ ...order(id).items[0], color: 1 }] }],
      'orders[1].items[0].color is not allowed',
    ],
    ['a missing status', (id) => [{ ...order(id), status: undefined }], 'orders[0].status is required'],
    ['an unknown status', (id) => [{ ...order(id), status: 'Delivered' }], 'orders[0].status must be one of Pending'],
    ['a number as a string', (id) => [order(id, { items: [{ ...order(id).items[0], quantity: '1' }] })], 'quantity'],
    [
      'a fraction of a cent',
      (id) => [order(id, { items: [{ ...order(id).items[0], priceMinor: 1.5 }] })],
      'priceMinor',
    ],
    ['a day that does not exist', (id) => [order(id, { deliveredAt: '2026-02-30' })], 'deliveredAt'],
    ['an invalid date', (id) => [order(id, { purchasedAt: 'yesterday' })], 'ISO 8601'],
    ['an invalid order id', () => [order('1')], 'orders[0].orderId'],
    ['an unknown seller', (id) => [order(id, { sellerId: 'NOBODY' })], 'orders[0].sellerId does not exist'],
    [
      'an unknown marketplace',
      (id) => [order(id), order(`${id.slice(0, -1)}9`, { marketplaceId: 'NOWHERE' })],
      'orders[1].marketplaceId does not exist',
    ],
    ['the same order twice', (id) => [order(id), order(id)], 'orders[1] is the same as orders[0]'],
    ['the same item twice', (id) => [order(id, { items: [order(id).items[0], order(id).items[0]] })], 'is duplicated'],
    [
      'a NUL character in a title',
      (id) => [order(id), order(`${id.slice(0, -1)}9`, { items: [{ ...order(id).items[0], title: 'a\0b' }] })],
      'orders[1].items[0].title contains a NUL character',
    ],
    [
      'an unpaired surrogate in a city',
      (id) => [order(id, { shipTo: { city: 'Leip\ud83dzig' } })],
      'orders[0].shipTo.city contains a NUL character or an unpaired surrogate',
    ],
    ['no items', (id) => [order(id, { items: [] })], 'orders[0].items'],
    ['an empty batch', () => [], 'orders'],
    ['1,001 orders', () => Array.from({ length: 1001 }, (_, index) => order(numbered(index))), 'orders'],
    ['an object instead of a list', () => ({}), 'orders'],
  ])('refuse a batch with %s, name the field, and write nothing', async (_what, build, details) => {
    const id = '666-0000000-0000001'
    const refused = errorOf(await put('orders', { orders: build(id) }))
    expect(refused).toMatchObject({ status: 400, code: 'InvalidInput', details: expect.stringContaining(details) })
    expect((await get(`orders/${souk.demo.sellerId}/${id}`)).statusCode).toBe(404)
  })

  test('refuse an unknown key next to the list, and an unknown query parameter', async () => {
    expect(errorOf(await put('orders', { orders: [order(numbered(1))], dryRun: true })).details).toContain('dryRun')
    expect(errorOf(await get('orders?seller=X')).details).toContain('seller is not allowed')
  })

  test.each([
    'pageSize=0',
    'pageSize=1001',
    'pageSize=x',
    'pageToken=tampered',
    'pageToken=W10',
    'pageToken=WyJhIiwxXQ',
  ])('refuse a listing with %s', async (query) => {
    expect(errorOf(await get(`orders?${query}`))).toMatchObject({ status: 400, code: 'InvalidInput' })
  })
})

describe('marketplaces and sellers', () => {
  const marketplace = {
    marketplaceId: 'SOUKTEST',
    name: 'Test bazaar',
    countryCode: 'CH',
    currencyCode: 'CHF',
    languageCode: 'de_CH',
    domainName: 'bazaar.example',
  }
  const seller = {
    sellerId: 'ANEWSELLER',
    businessType: 'INDIVIDUAL',
    sellingPlan: 'INDIVIDUAL',
    participations: [
      { marketplaceId: 'SOUKTEST', storeName: 'New store', isParticipating: true, hasSuspendedListings: false },
    ],
  }

  test('are created, read, replaced and listed', async () => {
    expect((await put('marketplaces', { marketplaces: [marketplace] })).statusCode).toBe(200)
    expect((await get('marketplaces/SOUKTEST')).json()).toEqual(marketplace)
    expect((await put('sellers', { sellers: [seller] })).statusCode).toBe(200)
    expect((await get('sellers/ANEWSELLER')).json()).toEqual({ ...seller, accountStatus: 'NORMAL' })

    await put('sellers', { sellers: [{ ...seller, participations: [] }] })
    expect((await get('sellers/ANEWSELLER')).json().participations).toEqual([])

    const names: string[] = []
    let next = ''
    do {
      const page = (await get(`marketplaces?pageSize=5${next}`)).json()
      names.push(...page.marketplaces.map((one: { marketplaceId: string }) => one.marketplaceId))
      next = page.nextToken ? `&pageToken=${page.nextToken}` : ''
    } while (next)
    expect(names).toHaveLength(24)
    expect(names).toContain('SOUKTEST')
    expect((await get('sellers')).json().sellers).toHaveLength(3)
  })

  test('refuse a participation in an unknown marketplace, and two in the same marketplace', async () => {
    const [participation] = seller.participations
    const nowhere = { ...seller, sellerId: 'B1', participations: [{ ...participation, marketplaceId: 'NOWHERE' }] }
    expect(errorOf(await put('sellers', { sellers: [nowhere] })).details).toContain(
      'sellers[0].participations[0].marketplaceId does not exist',
    )
    const twice = { ...seller, sellerId: 'B1', participations: [participation, participation] }
    expect(errorOf(await put('sellers', { sellers: [twice] })).details).toContain('is duplicated')
    expect((await get('sellers/B1')).statusCode).toBe(404)
  })

  test('refuse text that cannot be stored, and name the field', async () => {
    for (const text of ['a\0b', '\ud83d', '\ude00 first']) {
      const batches: [string, object, string][] = [
        ['marketplaces', { ...marketplace, marketplaceId: 'B1', name: text }, 'marketplaces[0].name'],
        ['applications', { applicationId: 'B1', name: text }, 'applications[0].name'],
        [
          'sellers',
          {
            ...seller,
            sellerId: 'B1',
            primaryContact: { name: text, address: { addressLine1: 'a', countryCode: 'CH' } },
          },
          'sellers[0].primaryContact.name',
        ],
      ]
      for (const [plural, resource, field] of batches) {
        const refused = errorOf(await put(plural, { [plural]: [resource] }))
        expect(refused).toMatchObject({ status: 400, details: expect.stringContaining(`${field} contains a NUL`) })
        expect((await get(`${plural}/B1`)).statusCode).toBe(404)
      }
    }
  })

  test('return 404 if they do not exist', async () => {
    expect(errorOf(await get('marketplaces/NOWHERE')).status).toBe(404)
    expect(errorOf(await get('sellers/NOBODY')).status).toBe(404)
  })
})
