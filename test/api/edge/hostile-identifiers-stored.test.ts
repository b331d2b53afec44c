import { beforeAll, describe, expect, test } from 'vitest'
import { FeedsClient } from '../../support/feeds.ts'
import { hostileIdentifiers } from '../../support/hostile-identifiers.ts'
import { IN_US, type ListingsClient, listingsClient, newShoe, setPrice } from '../../support/listings.ts'
import { DESTINATIONS, notificationsClient, sqs } from '../../support/notifications.ts'
import { ReportsClient } from '../../support/reports.ts'
import { registerSeller } from '../../support/seller-client.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

const SELLER = 'A3HOSTILEIDS'
const MAX_SKU_LENGTH = 255
// A path that ends with a dot alone means the folder, so clients never send it.
const SKUS = hostileIdentifiers.filter((one) => one.length <= MAX_SKU_LENGTH && one !== '.')

let souk: TestSouk
let token: string
let listings: ListingsClient
let seller: { sellerId: string; refreshToken: string }
beforeAll(async () => {
  souk = await startTestSouk()
  seller = { sellerId: SELLER, refreshToken: await registerSeller(souk, SELLER) }
  token = await souk.tokenFor(seller.refreshToken)
  listings = listingsClient(souk, token, SELLER)
})

/** Several at once: each waits for the disk. */
async function forAll(values: readonly string[], act: (value: string, index: number) => Promise<unknown>) {
  const waiting = [...values.entries()]
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await act(next[1], next[0])
  }
  await Promise.all(Array.from({ length: 8 }, work))
}

/** Every SKU of the seller, page by page. */
async function allSkus(): Promise<string[]> {
  const skus: string[] = []
  let more = ''
  do {
    const page = (await listings.search(`${IN_US}&pageSize=20&sortBy=sku&sortOrder=ASC${more}`)).json()
    skus.push(...page.items.map(({ sku }: { sku: string }) => sku))
    more = page.pagination?.nextToken ? `&pageToken=${encodeURIComponent(page.pagination.nextToken)}` : ''
  } while (more)
  return skus
}

describe('listings whose SKUs are hostile identifiers', () => {
  test('are created, patched and read back unchanged', async () => {
    await forAll(SKUS, async (sku, index) => {
      const name = `${sku} ${index}`
      const put = await listings.put(sku, newShoe({ item_name: [{ value: name }] }))
      expect(put.json(), put.body).toMatchObject({ sku, status: 'ACCEPTED', issues: [] })
      const patched = await listings.patch(sku, [setPrice(10 + index)])
      expect(patched.json(), patched.body).toMatchObject({ sku, status: 'ACCEPTED', issues: [] })
      const { attributes, ...item } = await listings.read(sku)
      expect(item.sku).toBe(sku)
      expect(attributes.item_name).toEqual([expect.objectContaining({ value: name })])
      expect(attributes.purchasable_offer[0].our_price[0].schedule[0].value_with_tax).toBe(10 + index)
    })
  })

  test('are found by a search for one and by a search for all', async () => {
    expect((await allSkus()).sort()).toEqual([...SKUS].sort())
    for (const sku of SKUS) {
      // A comma separates identifiers, so a SKU that has one cannot be searched for.
      if (sku.includes(',')) continue
      const found = await listings.search(`${IN_US}&identifiersType=SKU&identifiers=${encodeURIComponent(sku)}`)
      expect(found.statusCode, found.body).toBe(200)
      expect(found.json().items.map((item: { sku: string }) => item.sku)).toEqual([sku])
    }
  })

  test('are changed by a feed, whose result contains them unchanged', async () => {
    const feeds = new FeedsClient(souk, seller)
    const messages = SKUS.map((sku) => ({
      sku,
      operationType: 'PATCH',
      productType: 'SHOES',
      patches: [setPrice(99)],
    }))
    const missing = { sku: 'missing: connection terminated', operationType: 'PATCH', productType: 'SHOES' }
    const report = await feeds.process([...messages, { ...missing, patches: [setPrice(-1)] }])
    expect(report.summary).toMatchObject({ messagesAccepted: SKUS.length, messagesInvalid: 1 })
    expect(report.issues.map(({ sku }) => sku)).toEqual([missing.sku])
    for (const sku of SKUS) {
      const { attributes } = await listings.read(sku)
      expect(attributes.purchasable_offer[0].our_price[0].schedule[0].value_with_tax).toBe(99)
    }
  })

  test('are all in a report, one line each', async () => {
    const reports = new ReportsClient(souk, seller.refreshToken)
    const text = await reports.text({ reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA' })
    const [head = [], ...lines] = text
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split('\t'))
    expect(lines.length).toBeGreaterThanOrEqual(SKUS.length)
    const skus = lines.map((line) => line[head.indexOf('seller-sku')])
    // The format has no quoting, so unsupported characters become a space.
    const plain = SKUS.filter((sku) => !/[\p{Cc}\u2028\u2029]/u.test(sku) && sku.trim() === sku)
    expect(skus).toEqual(expect.arrayContaining(plain))
    for (const line of lines) expect(line).toHaveLength(head.length)
  })

  test('are deleted without affecting others', async () => {
    const [first, second] = [SKUS.filter((_, index) => index % 2 === 0), SKUS.filter((_, index) => index % 2 === 1)]
    const remove = async (sku: string) =>
      expect((await listings.delete(sku)).json()).toMatchObject({ sku, status: 'ACCEPTED' })
    await forAll(first, remove)
    await souk.idle()
    expect((await allSkus()).sort()).toEqual(second.toSorted())
    await forAll(second, remove)
    await souk.idle()
    expect(await allSkus()).toEqual([])
    for (const sku of SKUS) expect(errorOf(await listings.get(sku))).toMatchObject({ status: 404, code: 'NOT_FOUND' })
  })
})

test('destinations keep hostile names unchanged', async () => {
  const notifications = notificationsClient(souk)
  const names = hostileIdentifiers.filter((one) => one.length <= 256)
  await forAll(names, async (name, index) => {
    const created = await notifications.createDestination(sqs(`hostile-${index}`), { name })
    expect(created.statusCode, created.body).toBe(200)
    const { destinationId } = created.json().payload
    const read = await notifications.send('GET', `${DESTINATIONS}/${destinationId}`, 'grantless')
    expect(read.json().payload).toMatchObject({ destinationId, name })
  })
})

test('a page token with hostile identifiers returns 200 or 400, never a server error', async () => {
  const demo = await souk.tokenFor(souk.demo.refreshToken)
  const lists: [string, object][] = [
    [`/listings/2021-08-01/items/${souk.demo.sellerId}?${IN_US}&pageToken=`, { token: demo }],
    [`/catalog/2022-04-01/items?${IN_US}&keywords=boot&pageToken=`, { token: demo }],
    ['/reports/2021-06-30/reports?nextToken=', { token: demo }],
    ['/feeds/2021-06-30/feeds?nextToken=', { token: demo }],
    ['/notifications/v1/subscriptions?notificationTypes=ORDER_CHANGE&nextToken=', { token: demo }],
    ['/operator/v1/orders?pageToken=', { headers: souk.operator }],
    ['/operator/v1/offers?pageToken=', { headers: souk.operator }],
    ['/operator/v1/deliveries?pageToken=', { headers: souk.operator }],
  ]
  for (const [address, credentials] of lists) {
    await forAll(hostileIdentifiers, async (value) => {
      for (const parts of [1, 2, 8]) {
        const pageToken = Buffer.from(JSON.stringify(Array(parts).fill(value))).toString('base64url')
        const response = await souk.get(address + pageToken, credentials)
        expect([200, 400], `${address} ${value}: ${response.body.slice(0, 200)}`).toContain(response.statusCode)
      }
    })
  }
})
