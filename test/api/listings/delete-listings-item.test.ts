import { beforeAll, describe, expect, test } from 'vitest'
import {
  accepted,
  IN_BOTH,
  IN_DE,
  IN_US,
  type ListingsClient,
  listingsClient,
  newShoe,
  setQuantity,
  startWatchedListings,
  type Watch,
} from '../../support/listings.ts'
import { errorOf, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let token: string
let listings: ListingsClient
let watch: Watch
beforeAll(async () => {
  ;({ souk, token, listings, watch } = await startWatchedListings())
})

describe('deleteListingsItem', () => {
  test('deletes the listing and its offer in that marketplace only', async () => {
    const sku = 'SOUK-SHOE-003'
    expect(await watch.offers(sku)).toHaveLength(2)
    const response = await listings.delete(sku)
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual(accepted(sku))
    expect(errorOf(await listings.get(sku)).status).toBe(404)
    expect((await listings.get(sku, IN_DE)).statusCode).toBe(200)
    expect((await listings.get(sku, IN_BOTH)).json().summaries).toHaveLength(1)
    expect((await watch.offers(sku)).map((offer) => offer.marketplace_id)).toEqual(['A1PA6795UKMFR9'])
    const { items } = (await listings.search(`${IN_US}&identifiersType=SKU&identifiers=${sku}`)).json()
    expect(items).toEqual([])
  })

  test("keeps another seller's listing with the same SKU", async () => {
    await listings.delete('SOUK-SHOE-001')
    const others = await souk.tokenFor(souk.demo.otherSeller.refreshToken)
    const response = await listingsClient(souk, others, souk.demo.otherSeller.sellerId).get('SOUK-SHOE-001')
    expect(response.statusCode).toBe(200)
  })

  test('accepts an unknown SKU and a SKU that is already deleted', async () => {
    expect((await listings.delete('NO-SUCH-SKU')).json()).toEqual(accepted('NO-SUCH-SKU'))
    await listings.delete('SOUK-SHOE-004')
    expect((await listings.delete('SOUK-SHOE-004')).json()).toEqual(accepted('SOUK-SHOE-004'))
  })

  test('deletes the relations that the listing declared', async () => {
    const child = newShoe({
      parentage_level: [{ value: 'child' }],
      child_parent_sku_relationship: [{ parent_sku: 'PARENT' }],
      variation_theme: [{ name: 'COLOR' }],
    })
    await listings.put('CHILD', child)
    expect(await watch.relations()).toMatchObject([{ parent_sku: 'PARENT', child_sku: 'CHILD' }])
    await listings.delete('CHILD')
    expect(await watch.relations()).toEqual([])
  })

  test('deletes a listing that waits for processing, which is then not processed', async () => {
    await listings.put('FRESH', newShoe())
    await listings.delete('FRESH')
    await souk.idle()
    expect(errorOf(await listings.get('FRESH')).status).toBe(404)
    expect(await watch.offers('FRESH')).toEqual([])
  })

  test('lets the SKU be created again, with a new creation date', async () => {
    await listings.put('PHOENIX', newShoe({ style: [{ value: 'Old' }] }))
    await listings.delete('PHOENIX')
    souk.clock.advance(60_000)
    await listings.put('PHOENIX', newShoe())
    const { attributes, summaries } = await listings.read('PHOENIX')
    expect(attributes).not.toHaveProperty('style')
    expect(summaries[0].createdDate).toBe(souk.clock.now().toISOString())
    await listings.delete('PHOENIX')
    await listings.patch('PHOENIX', [setQuantity(1)])
    await souk.idle()
    expect((await listings.read('PHOENIX')).issues).toMatchObject([{ code: '13013' }])
  })

  test('accepts requests with and without a body', async () => {
    const path = `/listings/2021-08-01/items/${souk.demo.sellerId}/X?${IN_US}`
    const headers = { 'content-type': 'application/json' }
    expect((await souk.delete(path, { token, headers })).statusCode).toBe(200)
    expect((await souk.delete(path, { token, headers, payload: '{' })).statusCode).toBe(200)
  })

  test.each([
    ['no marketplace', '', 400],
    ['two marketplaces', IN_BOTH, 400],
    ['an unknown marketplace', 'marketplaceIds=NOWHERE', 400],
    ["one that is not the seller's", 'marketplaceIds=A1VC38T7YXB528', 403],
  ])('refuses %s, and deletes nothing', async (_, query, status) => {
    const before = await watch.everything()
    expect(errorOf(await listings.delete('SOUK-SHOE-005', query)).status).toBe(status)
    expect(await watch.changesSince(before)).toEqual([])
  })

  test("refuses another seller's SKU", async () => {
    const others = listingsClient(souk, token, souk.demo.otherSeller.sellerId)
    expect(errorOf(await others.delete('SOUK-SHOE-002')).status).toBe(403)
  })
})
