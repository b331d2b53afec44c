import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  DE,
  IN_DE,
  IN_US,
  type ListingsClient,
  newShoe,
  priceOf,
  setAttribute,
  setPrice,
  setQuantity,
  startListings,
  US,
} from '../../support/listings.ts'
import type { TestSouk } from '../../support/souk.ts'

const ALL = 'GET_MERCHANT_LISTINGS_ALL_DATA'
const ACTIVE = 'GET_MERCHANT_LISTINGS_DATA'
const INACTIVE = 'GET_MERCHANT_LISTINGS_INACTIVE_DATA'
const OPEN = 'GET_FLAT_FILE_OPEN_LISTINGS_DATA'

let souk: TestSouk
let token: string
let listings: ListingsClient
beforeAll(async () => {
  ;({ souk, token, listings } = await startListings())
})

type Line = Record<string, string>

/** The lines of a report by SKU, each by its headings. */
async function report(reportType: string, marketplaceIds = [US]): Promise<Map<string, Line>> {
  const reports = '/reports/2021-06-30'
  const payload = { reportType, marketplaceIds }
  const { reportId } = (await souk.post(`${reports}/reports`, { token, payload })).json()
  await souk.idle()
  const { reportDocumentId } = (await souk.get(`${reports}/reports/${reportId}`, { token })).json()
  const document = (await souk.get(`${reports}/documents/${reportDocumentId}`, { token })).json()
  const bytes = Buffer.from(await (await fetch(document.url)).arrayBuffer())
  const text = (document.compressionAlgorithm === 'GZIP' ? gunzipSync(bytes) : bytes).toString()
  const [headings = [], ...rows] = text
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => line.split('\t'))
  const lines = rows.map((row) => Object.fromEntries(headings.map((heading, index) => [heading, row[index] ?? ''])))
  // Each listing once, and every line whole.
  expect(new Set(lines.map((line) => line['seller-sku'] ?? line.sku)).size).toBe(lines.length)
  expect(rows.every((row) => row.length === headings.length)).toBe(true)
  return new Map(lines.map((line) => [(line['seller-sku'] ?? line.sku) as string, line]))
}

const isIn = async (sku: string) => {
  const found = await Promise.all([ALL, ACTIVE, INACTIVE, OPEN].map(async (type) => (await report(type)).has(sku)))
  return { all: found[0], active: found[1], inactive: found[2], open: found[3] }
}
const forSale = { all: true, active: true, inactive: false, open: true }
const notForSale = { all: true, active: false, inactive: true, open: false }

describe('the reports of listings', () => {
  test('contain more listings than a page, and names with line breaks', async () => {
    const names = ['tab\there', 'line\nbreak\r\n', '<b>&amp;"quoted"', ']]>', '👟 \u0007bell']
    for (let index = 0; index < 70; index++) {
      const name = names[index % names.length] as string
      await listings.put(`MANY-${index}`, newShoe({ item_name: [{ value: name }] }))
    }
    await souk.idle()
    const { numberOfResults } = (await listings.search(IN_US)).json()
    const lines = await report(ALL)
    // All but the one that there is no record of.
    expect(lines.size).toBe(numberOfResults - 1)
    expect(lines.size).toBeGreaterThan(250)
    expect(lines.get('MANY-0')?.['item-name']).toBe('tab here')
    expect(lines.get('MANY-4')?.['item-name']).toBe('👟  bell')
  })

  test('contain the values of the listing', async () => {
    await listings.put('REPORTED', newShoe({ condition_type: [{ value: 'used_very_good' }] }))
    await souk.idle()
    const { asin } = (await listings.read('REPORTED')).summaries[0]
    const line = {
      'item-name': 'Desert boot, sand',
      'seller-sku': 'REPORTED',
      price: '79.50',
      quantity: '4',
      'image-url': 'https://images.example/desert-boot.jpg',
      'item-condition': '2',
      asin1: asin,
      'fulfillment-channel': 'DEFAULT',
    }
    expect((await report(ALL)).get('REPORTED')).toMatchObject({ ...line, status: 'Active' })
    expect((await report(ACTIVE)).get('REPORTED')).toMatchObject(line)
    expect((await report(OPEN)).get('REPORTED')).toEqual({ sku: 'REPORTED', asin, price: '79.50', quantity: '4' })
  })

  test('contain a changed price and quantity', async () => {
    await listings.patch('SOUK-SHOE-001', [setPrice(12.34), setQuantity(56)])
    for (const type of [ALL, ACTIVE, OPEN]) {
      expect((await report(type)).get('SOUK-SHOE-001')).toMatchObject({ price: '12.34', quantity: '56' })
    }
  })

  test('follow a listing that sells out, is suppressed and is back', async () => {
    const sku = 'SOUK-SHOE-003'
    expect(await isIn(sku)).toEqual(forSale)
    await listings.patch(sku, [setQuantity(0)])
    expect(await isIn(sku)).toEqual(notForSale)
    expect((await report(ALL)).get(sku)).toMatchObject({ status: 'Inactive', quantity: '0' })
    const offer = { currency: 'USD', our_price: priceOf(5), minimum_seller_allowed_price: priceOf(6) }
    await listings.patch(sku, [setQuantity(5), setAttribute('purchasable_offer', offer)])
    expect(await isIn(sku)).toEqual(notForSale)
    await listings.patch(sku, [setPrice(6)])
    expect(await isIn(sku)).toEqual(forSale)
  })

  test('omit deleted listings and unknown SKUs', async () => {
    await listings.delete('SOUK-SHOE-004')
    const nowhere = { all: false, active: false, inactive: false, open: false }
    expect(await isIn('SOUK-SHOE-004')).toEqual(nowhere)
    expect(await isIn('SOUK-GHOST-001')).toEqual(nowhere)
  })

  test('contain the requested marketplace, in its currency', async () => {
    await listings.patch('SOUK-SHOE-005', [setPrice(20, 'EUR'), setQuantity(2)], IN_DE)
    await listings.patch('SOUK-SHOE-005', [setPrice(30)], IN_US)
    expect((await report(OPEN, [DE])).get('SOUK-SHOE-005')?.price).toBe('20.00')
    expect((await report(OPEN)).get('SOUK-SHOE-005')?.price).toBe('30.00')
  })

  test('contain every listing as either active or inactive', async () => {
    const [all, active, inactive] = [await report(ALL), await report(ACTIVE), await report(INACTIVE)]
    expect(active.size + inactive.size).toBe(all.size)
    expect(inactive.size).toBeGreaterThan(20)
    for (const [sku, { status }] of all) expect(status === 'Active' ? active.has(sku) : inactive.has(sku)).toBe(true)
  })
})
