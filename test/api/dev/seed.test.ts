import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { LocalQueue } from '../../../src/dev/local-queue.ts'
import type { Progress } from '../../../src/dev/progress/index.ts'
import { ManualClock, type MarketplaceSeed, SeedError } from '../../../src/index.ts'
import { digest } from '../../../src/platform/auth/digest.ts'
import { startStandIn } from '../../../src/stand-in/stand-in.ts'
import { testDialect } from '../../support/databases.ts'
import { newShoe } from '../../support/listings.ts'
import { NOTIFICATIONS, startTestSouk, type TestSouk } from '../../support/souk.ts'

const onSqlite = test.skipIf(testDialect === 'postgres')

const page = readFileSync(new URL('../../../docs/seed-file.md', import.meta.url), 'utf8')
const example = /```yaml\n(.*?)```/s.exec(page)?.[1] ?? ''

const US = 'ATVPDKIKX0DER'
const yaml = { 'content-type': 'application/yaml' }
const importText = (souk: TestSouk, payload: string) => souk.post('/_souk/import', { payload, headers: yaml })
const exportText = async (souk: TestSouk) => (await souk.get('/_souk/export')).body
/** The first line has the address of the schema. */
const withoutAddress = (text: string) => text.replace(/^# yaml-language-server.*\n/, '')

async function tokenOf(souk: TestSouk, client: { clientId: string; clientSecret: string; refreshToken: string }) {
  const { clientId: client_id, clientSecret: client_secret, refreshToken: refresh_token } = client
  const payload = { grant_type: 'refresh_token', client_id, client_secret, refresh_token }
  return (await souk.post('/auth/o2/token', { payload })).json().access_token as string
}

const hatApp = { clientId: 'hat-client', clientSecret: 'hat-secret', refreshToken: 'hat-refresh-token' }

const folder = mkdtempSync(join(tmpdir(), 'souk-seed-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const writeSeed = (name: string, text: string) => {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

onSqlite('the start with a large seed reports how much of it is read, and then how many rows are written', async () => {
  const orders = Array.from({ length: 6_000 }, (_, index) => {
    const orderId = `111-${String(index).padStart(7, '0')}-0000001`
    const item =
      '  items:\n  - asin: B0HAT00001\n    sku: HAT-1\n    title: Felt hat\n    priceMinor: 4990\n    quantity: 1\n'
    return `- orderId: ${orderId}\n  sellerId: S1\n  marketplaceId: ${US}\n  status: Shipped\n  purchasedAt: "2026-05-01T00:00:00Z"\n${item}`
  })
  const text = `sellers:\n- sellerId: S1\n  participations:\n  - ${US}\norders:\n${orders.join('')}`
  const reported: Progress[] = []
  const seed = writeSeed('large.yaml', text)
  await using souk = await startStandIn({ seed, onSeedProgress: (progress) => reported.push(progress) })
  const read = reported.filter(({ task }) => task === 'read seed')
  expect(read.length).toBeGreaterThan(3)
  expect(read.at(-1)).toEqual({ task: 'read seed', done: text.length, total: text.length })
  const written = reported.slice(read.length)
  expect(written.length).toBeGreaterThan(3)
  expect(written.at(-1)).toEqual({ task: 'import', done: 6_000, total: 6_000 })
  expect(souk.applications).toEqual([])
})

test('a grant with thousands of refresh tokens is exported and imported, and each of them stays valid', async () => {
  const tokens = Array.from({ length: 3_000 }, (_, index) => `refresh-token-${index}`)
  const { refreshToken: _, ...app } = hatApp
  const authorization = { sellerId: 'A1HATSELLER', refreshTokenDigests: tokens.map(digest) }
  const souk = await startTestSouk({ demo: false })
  await souk.import({
    version: 1,
    sellers: [{ sellerId: 'A1HATSELLER', participations: [US] }],
    applications: [{ applicationId: 'hats', ...app, authorizations: [authorization] }],
  } as MarketplaceSeed)
  const copy = await startTestSouk({ demo: false })
  expect(await importText(copy, await exportText(souk))).toMatchObject({ statusCode: 200 })
  for (const refreshToken of [tokens[0], tokens.at(-1)]) {
    expect(await tokenOf(copy, { ...hatApp, refreshToken: refreshToken as string })).toMatch(/^Atza/)
  }
})

describe('an export', () => {
  let source: TestSouk
  let copy: TestSouk
  let text: string
  beforeAll(async () => {
    source = await startTestSouk()
    const token = await source.tokenFor(source.demo.refreshToken)
    const { destinationId } = (
      await source.post('/notifications/v1/destinations', {
        token: await source.grantlessToken(NOTIFICATIONS),
        payload: {
          name: 'Queue',
          resourceSpecification: { sqs: { arn: 'arn:aws:sqs:us-east-1:123456789012:export' } },
        },
      })
    ).json().payload
    const eventFilter = { eventFilterType: 'ORDER_CHANGE', marketplaceIds: [US] }
    await source.post('/notifications/v1/subscriptions/ORDER_CHANGE', {
      token,
      payload: { payloadVersion: '1.0', destinationId, processingDirective: { eventFilter } },
    })
    await source.buyer.order({ sku: 'SOUK-SHOE-001', quantity: 2 })
    await source.competitor.setPrice({ asin: 'B0SOUK0001', sellerId: 'A9SOUKRIVAL001', price: 59.9 })
    text = await exportText(source)
    copy = await startTestSouk({ demo: false, clock: new ManualClock(new Date('2030-01-01T00:00:00Z')) })
    expect((await importText(copy, text)).statusCode).toBe(200)
  })

  test('names the schema at the address of the marketplace, where editors find it', async () => {
    const [, url = ''] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? []
    expect(url).toBe(`${source.url}/_souk/seed-schema.json`)
    expect((await fetch(url)).status).toBe(200)
  })

  test('that is imported elsewhere gives the same export', async () => {
    expect(withoutAddress(await exportText(copy))).toBe(withoutAddress(text))
    expect(text).toContain('ORDER_CHANGE')
    const json = await source.get('/_souk/export', { headers: { accept: 'application/json' } })
    expect((await copy.get('/_souk/export?format=json')).body).toBe(json.body)
    expect((await copy.post('/_souk/import', { payload: json.json() })).statusCode).toBe(200)
    expect(withoutAddress(await exportText(copy))).toBe(withoutAddress(text))
  })

  test('has a listing that waits for processing, which goes on waiting after an import', async () => {
    const own = await startTestSouk({ delay: 60_000 })
    const token = await own.tokenFor(own.demo.refreshToken)
    const path = `/listings/2021-08-01/items/${own.demo.sellerId}/NEW-1?marketplaceIds=${US}`
    const payload = { productType: 'SHOES', requirements: 'LISTING', attributes: newShoe() }
    expect((await own.put(path, { token, payload })).json()).toMatchObject({ status: 'ACCEPTED' })
    await own.clock.advance(30_000)
    const before = await exportText(own)
    const { clock: _, ...exported } = await own.export()
    await importText(own, before)
    await own.idle()
    expect(await exportText(own)).toBe(before)
    await own.clock.advance(30_000)
    await own.idle()
    const again = await own.tokenFor(own.demo.refreshToken)
    const [summary] = (await own.get(path, { token: again })).json().summaries
    expect(summary).toMatchObject({ asin: expect.any(String) })
    // Without its clock, the export is from the future. Its listing does not wait until then.
    const listings = exported.listings?.map((one) => ({ ...one, updatedAt: '2030-01-01T00:00:00Z' }))
    await own.import({ ...exported, ...(listings && { listings }) })
    await own.clock.advance(60_000)
    await own.idle()
    const later = await own.tokenFor(own.demo.refreshToken)
    expect((await own.get(path, { token: later })).json().summaries).toMatchObject([{ asin: expect.any(String) }])
  })

  test('has no secret, and yet the same credentials are valid after an import', async () => {
    const { clientSecret, refreshToken } = source.demo
    for (const secret of [clientSecret, refreshToken]) expect(text).not.toContain(secret)
    expect(await copy.tokenFor(refreshToken)).toMatch(/^Atza/)
  })

  test.each([
    `/listings/2021-08-01/items/A1SOUKDEMOSELL/SOUK-SHOE-001?marketplaceIds=${US}&includedData=summaries,attributes,issues,offers,fulfillmentAvailability`,
    `/listings/2021-08-01/items/A1SOUKDEMOSELL?marketplaceIds=${US}&pageSize=20&includedData=summaries,issues`,
    `/orders/v0/orders?MarketplaceIds=${US}&CreatedAfter=2020-01-01T00:00:00Z`,
    '/orders/v0/orders/123-1234567-1234567/orderItems',
    `/catalog/2022-04-01/items/B0SOUK0001?marketplaceIds=${US}&includedData=attributes,identifiers,images,salesRanks`,
    '/notifications/v1/subscriptions/ORDER_CHANGE',
    '/sellers/v1/account',
    '/solicitations/v1/orders/123-1234567-1234567?marketplaceIds=ATVPDKIKX0DER',
  ])('has what GET %s reads', async (path) => {
    const read = async (souk: TestSouk) => {
      const response = await souk.get(path, { token: await souk.tokenFor(source.demo.refreshToken) })
      expect(response.statusCode).toBe(200)
      return withoutTokens(response.json())
    }
    expect(await read(copy)).toEqual(await read(source))
  })

  test('has the prices of competitors and their history', async () => {
    const includedData = ['featuredBuyingOptions', 'referencePrices', 'lowestPricedOffers']
    const lowestPricedOffersInputs = [{ itemCondition: 'New', offerType: 'Consumer' }]
    const request = {
      asin: 'B0SOUK0001',
      marketplaceId: US,
      includedData,
      lowestPricedOffersInputs,
      method: 'GET',
      uri: '/products/pricing/2022-05-01/items/competitiveSummary',
    }
    const read = async (souk: TestSouk) =>
      (
        await souk.post('/batches/products/pricing/2022-05-01/items/competitiveSummary', {
          token: await souk.tokenFor(source.demo.refreshToken),
          payload: { requests: [request] },
        })
      ).json().responses[0].body
    expect(await read(copy)).toEqual(await read(source))
  })

  test('knows the pieces that an order took: a cancellation gives them back after an import', async () => {
    const path = `/listings/2021-08-01/items/A1SOUKDEMOSELL/SOUK-SHOE-001?marketplaceIds=${US}&includedData=fulfillmentAvailability`
    const stock = async () =>
      (await copy.get(path, { token: await copy.tokenFor(source.demo.refreshToken) })).json().fulfillmentAvailability[0]
        .quantity
    const before = await stock()
    const { orders = [] } = await copy.export()
    const order = orders.find(({ status, orderId }) => status === 'Unshipped' && !orderId.startsWith('702'))
    await copy.buyer.cancel({ sellerId: 'A1SOUKDEMOSELL', orderId: order?.orderId ?? '' })
    expect(await stock()).toBe(before + 2)
  })
})

const withoutTokens = (value: unknown) =>
  JSON.parse(JSON.stringify(value, (key, member) => (/token/i.test(key) ? undefined : member)))

describe('the example of the documentation', () => {
  let souk: TestSouk
  beforeAll(async () => {
    souk = await startTestSouk({ demo: false, seed: writeSeed('marketplace.yaml', example) })
  })

  test('is a marketplace for clients', async () => {
    expect(souk.clock.now()).toEqual(new Date('2026-03-10T09:00:00Z'))
    const token = await tokenOf(souk, hatApp)
    const item = `/listings/2021-08-01/items/A1HATSELLER/HAT-1?marketplaceIds=${US}&includedData=summaries,offers,fulfillmentAvailability`
    expect((await souk.get(item, { token })).json()).toMatchObject({
      summaries: [{ asin: 'B0HAT00001', itemName: 'Felt hat', status: ['BUYABLE'] }],
      offers: [{ price: { currencyCode: 'USD', amount: '49.90' } }],
      fulfillmentAvailability: [{ fulfillmentChannelCode: 'DEFAULT', quantity: 7 }],
    })
    const orders = await souk.get(`/orders/v0/orders?MarketplaceIds=${US}&CreatedAfter=2026-01-01`, { token })
    expect(orders.json().payload.Orders).toMatchObject([
      { AmazonOrderId: '111-0000000-0000002', OrderStatus: 'Shipped' },
      { AmazonOrderId: '111-0000000-0000001', OrderStatus: 'Unshipped', OrderTotal: { Amount: '99.80' } },
    ])
    expect(souk.applications).toEqual([
      {
        applicationId: 'hat-app',
        clientId: 'hat-client',
        clientSecret: 'hat-secret',
        authorizations: [{ sellerId: 'A1HATSELLER', refreshToken: 'hat-refresh-token' }],
      },
    ])
  })

  onSqlite('has forks that return its credentials', async () => {
    const fork = (await souk.post('/_souk/forks')).json()
    expect(fork.applications).toEqual(souk.applications)
    const response = await fetch(`${fork.url}/auth/o2/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        client_id: fork.applications[0].clientId,
        client_secret: fork.applications[0].clientSecret,
        refresh_token: fork.applications[0].authorizations[0].refreshToken,
      }),
    })
    expect(response.status).toBe(200)
    expect((await souk.delete(`/_souk/forks/${fork.id}`)).statusCode).toBe(204)
  })

  onSqlite('has forks that return all credentials in the order of the seed', async () => {
    const sellers = Array.from({ length: 1_100 }, (_, index) => `A${String(index).padStart(5, '0')}`)
    const authorizations = sellers
      .map((sellerId) => ({ sellerId, refreshToken: `refresh-token-of-${sellerId}` }))
      .reverse()
    const seed = {
      sellers: sellers.map((sellerId) => ({ sellerId, participations: [US] })),
      applications: ['second', 'first'].map((name) => ({
        applicationId: `${name}-app`,
        clientId: `${name}-client`,
        clientSecret: `${name}-secret`,
        authorizations: name === 'first' ? [{ sellerId: 'A00000', refreshToken: 'another' }] : authorizations,
      })),
    }
    const seeded = await startTestSouk({ demo: false, seed })
    await using fork = await seeded.fork()
    expect(fork.applications).toEqual(seeded.applications)
    expect(fork.applications?.[0]?.authorizations).toHaveLength(1_100)
  })

  onSqlite('has forks that return the credentials of an import, or of their snapshot', async () => {
    const other = await startTestSouk()
    const [hat] = souk.applications
    await other.snapshot('demo')
    await other.import({
      sellers: [{ sellerId: 'A1HATSELLER', participations: [US] }],
      applications: [
        {
          applicationId: 'hat-app',
          clientId: 'hat-client',
          clientSecret: 'hat-secret',
          authorizations: [{ sellerId: 'A1HATSELLER', refreshToken: 'hat-refresh-token' }],
        },
      ],
    })
    await using fork = await other.fork()
    expect(fork.applications).toEqual([hat])
    await using ofFork = await fork.fork()
    expect(ofFork.applications).toEqual([hat])
    await using ofSnapshot = await other.fork({ snapshot: 'demo' })
    expect(ofSnapshot.applications).toMatchObject([{ clientId: other.demo.clientId }])
  })

  test('has acts about its only seller, also if it was imported', async () => {
    const other = await startTestSouk()
    await other.import(await souk.export())
    expect(await other.buyer.order({ sku: 'HAT-1' })).toMatchObject({ sellerId: 'A1HATSELLER' })
    await other.reset()
    expect(await other.buyer.order({ sku: other.demo.skus[0] as string })).toMatchObject({
      sellerId: other.demo.sellerId,
    })
  })

  test('is what a reset goes back to, also after an import', async () => {
    const before = await exportText(souk)
    const order = await souk.buyer.order({ sku: 'HAT-1' })
    expect(await exportText(souk)).toContain(order.orderId)
    for (let times = 0; times < 2; times++) {
      await souk.post('/_souk/reset')
      expect(await exportText(souk)).toBe(before)
      expect(souk.clock.now()).toEqual(new Date('2026-03-10T09:00:00Z'))
      await souk.import({ sellers: [] })
      expect(await exportText(souk)).not.toContain('A1HATSELLER')
    }
    await souk.reset({ time: new Date('2026-05-01T00:00:00Z') })
    expect(souk.clock.now()).toEqual(new Date('2026-05-01T00:00:00Z'))
    await souk.reset()
  })

  test('is forgotten by an import, also if the queues of the import cannot be created', async () => {
    const token = await tokenOf(souk, hatApp)
    const status = async () => (await souk.get('/sellers/v1/account', { token })).statusCode
    expect(await status()).toBe(200)
    const createQueues = vi.spyOn(LocalQueue.prototype, 'createQueues').mockRejectedValueOnce(new Error('No queues'))
    await expect(souk.import({ sellers: [] })).rejects.toThrow('No queues')
    createQueues.mockRestore()
    expect(await status()).toBe(403)
    await souk.reset()
  })

  onSqlite('can be forked, and a fork has its credentials', async () => {
    const fork = await souk.fork()
    const body = new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: hatApp.clientId,
      client_secret: hatApp.clientSecret,
      refresh_token: hatApp.refreshToken,
    })
    expect((await fetch(`${fork.url}/auth/o2/token`, { method: 'POST', body })).status).toBe(200)
    expect((await fork.export()).sellers).toHaveLength(1)
    await fork.stop()
  })

  test('notifies the queue of its destination', async () => {
    const names = await fetch(`${souk.queueUrl}/?Action=ListQueues&Version=2012-11-05`)
    expect(await names.text()).toContain('/hats')
  })
})

describe('a seed that is wrong', () => {
  let souk: TestSouk
  let before: string
  beforeAll(async () => {
    souk = await startTestSouk({ demo: false, seed: writeSeed('before.yaml', example) })
    before = await exportText(souk)
  })

  const detailsOf = async (text: string) => {
    const response = await importText(souk, text)
    expect(response.statusCode).toBe(400)
    expect(await exportText(souk)).toBe(before)
    return response.json().errors.map(({ details }: { details: string }) => details) as string[]
  }

  test('is refused with the lines and columns of all mistakes, and changes nothing', async () => {
    const wrong = example
      .replace('- sku: HAT-1\n        quantity: 2', '- sku: HAT-2\n        quantity: 2')
      .replace(
        'sellerId: A9RIVAL\n    priceMinor: 4790',
        'sellerId: A9RIVAL\n    currencyCode: EUR\n    priceMinor: 4790',
      )
      .replace('    orderId: 111-0000000-0000002\n    submittedAt', '    orderId: 111-0000000-0000009\n    submittedAt')
    const lines = wrong.split('\n')
    const lineOf = (part: string) => lines.findIndex((line) => line.includes(part)) + 1
    expect(await detailsOf(wrong)).toEqual([
      `body:${lineOf('EUR')}:5: offers[0].currencyCode: must be the currency of the marketplace: USD.`,
      expect.stringMatching(
        `^body:${lineOf('HAT-2')}:9: orders\\[0\\].items\\[0\\].sku: no listing has the SKU HAT-2 of seller A1HATSELLER`,
      ),
      expect.stringMatching(`^body:${lineOf('0000009')}:5: feedback\\[0\\].orderId: seller A1HATSELLER has no order`),
    ])
  })

  test('in JSON is refused with the places of all mistakes, in their order', async () => {
    const order = '{ "orderId": "x", "items": [] }'
    const text = `{\n "orders": [\n${Array.from({ length: 5 }, () => `  ${order}`).join(',\n')}\n ],\n "clock": { "time": 1 }\n}`
    const places = (await detailsOf(text)).map((one) => /^body:(\S+): (\S+):/.exec(one)?.slice(1).join(' '))
    expect(places.filter((one) => one?.endsWith('orderId'))).toEqual(
      [3, 4, 5, 6, 7].map((line) => `${line}:5 orders[${line - 3}].orderId`),
    )
    expect(places.at(-1)).toBe('9:13 clock.time')
  })

  test('is refused with at most a hundred errors', async () => {
    const sellers = Array.from({ length: 300 }, () => ({ sellerId: 'a b', participations: [] }))
    expect(await detailsOf(JSON.stringify({ sellers }))).toHaveLength(100)
  })

  test.each([
    [
      'an unknown field',
      'sellers:\n  - sellerId: A1\n    participations: []\n    nmae: X',
      /^body:4:5: sellers\[0\].nmae: is not allowed/,
    ],
    ['an unknown section', 'selers: []', /^body:1:1: selers: is not allowed/],
    ['a required field', 'sellers:\n  - participations: []', /^body:2:5: sellers\[0\].sellerId: is required/],
    ['an impossible date', 'clock:\n  time: 2026-02-30T00:00:00Z', /^body:2:3: clock.time: must be an ISO 8601/],
    [
      'a seller twice',
      'sellers:\n  - {sellerId: A1, participations: []}\n  - {sellerId: A1, participations: []}',
      /^body:3:5: sellers\[1\]: is the same as sellers\[0\]: A1/,
    ],
    ['a key twice', 'clock: {}\nclock: {}', /^body:2:1: has the key clock twice/],
    ['a key twice in JSON', '{\n"sellers": [],\n"sellers": []}', /^body:3:1: is not valid: A key appears twice/],
    [
      'a NUL character',
      'sellers:\n  - sellerId: A1\n    participations:\n      - {marketplaceId: ATVPDKIKX0DER, storeName: "a\\0b"}',
      /^body:4:40: sellers\[0\].participations\[0\].storeName: contains a NUL/,
    ],
    [
      'a key __proto__',
      'sellers:\n  - sellerId: A1\n    participations: []\n    __proto__: {x: 1}',
      /^body:4:5: sellers\[0\].__proto__: is not allowed as a key/,
    ],
    ['a key __proto__ in JSON', '{"sellers": [{"__proto__": {"x": 1}}]}', /__proto__/],
    ['nothing', ' \n', /is empty; `\{\}` is a marketplace without anything/],
    ['YAML that is none', 'sellers: [', /^body:1:\d+: is not valid YAML/],
    ['a tab', 'sellers:\n\t- sellerId: A1', /^body:2:1: is not valid YAML/],
    ['JSON that is none', '{"sellers": [}', /^body:1:14: is not valid YAML/],
    ['a tag', 'sellers: !secret x', /^body:1:10: is not valid YAML: Unresolved tag/],
    ['two documents', 'sellers: []\n---\nsellers: []', /is not valid YAML/],
    ['a number that is none', 'offers:\n  - priceMinor: .nan', /not finite/],
    ['a list', '- sellers', /^body:1:1: must be an object/],
    ['an alias that contains itself', 'sellers: &a [*a]', /^body:1:14: is an alias of a, which is no anchor/],
    ['nesting without end', `sellers: ${'['.repeat(20_000)}`, /nested too deeply|not valid YAML/],
    [
      'nesting without end in JSON',
      `{"sellers": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      /^body:1:112: is not valid: It is nested more than 100 levels deep/,
    ],
    ['a time too late', 'clock:\n  time: 9950-01-01T00:00:00Z', /^body:2:3: clock.time: must not be after 9900-01-01/],
    ['a field a million times', 'clock: {}\n'.repeat(1_000_000), /^body:2:1: clock: is duplicated/],
    [
      'a million fields',
      Array.from({ length: 1_000_000 }, (_, index) => `field${index}: 1`).join('\n'),
      /^body:1:1: field0: is not allowed/,
    ],
    [
      'a list of millions',
      `orders:\n${'- 1\n'.repeat(3_000_000)}`,
      /^body:\d+:\d+: orders: must have at most 200000 items/,
    ],
    ['a bomb of aliases', bomb(), /^body:\d+:\d+: is one of too many aliases/],
    [
      'an unknown marketplace',
      'sellers:\n  - sellerId: A1\n    participations: [NOWHERE]',
      /^body:3:22: sellers\[0\].participations\[0\]: there is no marketplace NOWHERE/,
    ],
    [
      'terms of sale that are none',
      `${example}\n`.replace(
        '    quantity: 7 # left after the orders below',
        '    attributes: {fulfillment_availability: [{quantity: many}]}',
      ),
      /fulfillment_availability: is not valid/,
    ],
    [
      'a filter that is none',
      `${example}    processingDirective: {eventFilter: {eventFilterType: ANY_OFFER_CHANGED}}`,
      /subscriptions\[0\].processingDirective.eventFilter.eventFilterType: must be ORDER_CHANGE/,
    ],
    ['null', 'null', /^body:1:1: must be an object/],
  ])('such as %s is refused', async (_, text, expected) => {
    expect((await detailsOf(text))[0]).toMatch(expected)
  })

  test('does not start a marketplace, and deletes nothing', async () => {
    const wrong = writeSeed('wrong.yaml', 'sellers:\n  - sellerId: a\n    participations: []\n')
    const keep = writeSeed('keep.db', 'not touched')
    const started = startStandIn({ seed: wrong, database: keep, fresh: true })
    const error = await started.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(SeedError)
    expect((error as SeedError).message).toMatch(/^wrong\.yaml:2:5: sellers\[0\]\.sellerId: must match the pattern/)
    expect((error as SeedError).problems).toMatchObject([{ path: 'sellers[0].sellerId', line: 2, column: 5 }])
    expect(readFileSync(keep, 'utf8')).toBe('not touched')
    await expect(startStandIn({ seed: join(folder, 'missing.yaml') })).rejects.toThrow(
      /missing\.yaml: cannot be read \(ENOENT\)/,
    )
  })

  test('that is an object is refused with its paths', async () => {
    const wrong = { orders: [{ orderId: 'x' }] } as unknown as MarketplaceSeed
    await expect(souk.import(wrong)).rejects.toThrow(/orders\[0\]\.orderId: must match the pattern/)
    expect(await exportText(souk)).toBe(before)
  })
})

function bomb(): string {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]']
  for (let level = 1; level < 9; level++) {
    lines.push(`a${level}: &a${level} [${Array.from({ length: 10 }, () => `*a${level - 1}`).join(', ')}]`)
  }
  return lines.join('\n')
}
