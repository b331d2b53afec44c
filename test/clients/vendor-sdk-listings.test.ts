import { beforeAll, describe, expect, test } from 'vitest'
// Imported by path: the package exports only its index, which loads every API and takes a second.
import * as CatalogSpApi from '../../node_modules/@amazon-sp-api-release/amazon-sp-api-sdk-js/src/catalogitems_v2022_04_01/index.js'
import * as ListingsSpApi from '../../node_modules/@amazon-sp-api-release/amazon-sp-api-sdk-js/src/listingsitems_v2021_08_01/index.js'
import * as RestrictionsSpApi from '../../node_modules/@amazon-sp-api-release/amazon-sp-api-sdk-js/src/listingsrestrictions_v2021_08_01/index.js'
import * as DefinitionsSpApi from '../../node_modules/@amazon-sp-api-release/amazon-sp-api-sdk-js/src/producttypedefinitions_v2020_09_01/index.js'
import { newShoe, setPrice, setQuantity } from '../support/listings.ts'
import { startTestSouk, type TestSouk } from '../support/souk.ts'

describe("the vendor's JavaScript SDK", () => {
  let souk: TestSouk
  let listings: ListingsSpApi.ListingsApi
  let restrictions: RestrictionsSpApi.ListingsApi
  let catalog: CatalogSpApi.CatalogApi
  let definitions: DefinitionsSpApi.DefinitionsApi
  let sellerId: string
  let places: string[]
  beforeAll(async () => {
    souk = await startTestSouk()
    sellerId = souk.demo.sellerId
    places = [souk.demo.marketplaceId]
    const token = await souk.tokenFor(souk.demo.refreshToken)
    const clientOf = <Client extends { applyXAmzAccessTokenToRequest(token: string): Client }>(client: Client) =>
      client.applyXAmzAccessTokenToRequest(token)
    const client = clientOf(new ListingsSpApi.ApiClient(souk.url))
    // The SDK enforces the documented rates itself, by the real clock, and drops requests that exceed them.
    client.disableRateLimiter()
    listings = new ListingsSpApi.ListingsApi(client)
    restrictions = new RestrictionsSpApi.ListingsApi(clientOf(new RestrictionsSpApi.ApiClient(souk.url)))
    catalog = new CatalogSpApi.CatalogApi(clientOf(new CatalogSpApi.ApiClient(souk.url)))
    definitions = new DefinitionsSpApi.DefinitionsApi(clientOf(new DefinitionsSpApi.ApiClient(souk.url)))
  })

  // The SDK's own declarations say that all attributes together are one, called String.
  const body = (attributes: object) => ({ productType: 'SHOES', attributes: attributes as { String: object } })
  const includedData = ['summaries', 'attributes', 'issues', 'offers', 'fulfillmentAvailability', 'productTypes']

  test('reads a definition, then creates, changes and deletes a listing', async () => {
    const sku = 'SDK boot/42 #1'
    const definition = await definitions.getDefinitionsProductType('SHOES', places)
    const schema = await fetch(definition.schema?.link?.resource as string)
    const { required } = (await schema.json()) as { required: string[] }
    expect(Object.keys(newShoe())).toEqual(expect.arrayContaining(required))

    const created = await listings.putListingsItem(sellerId, sku, places, body(newShoe()))
    expect(created).toMatchObject({ sku, status: 'ACCEPTED', issues: [] })
    await souk.idle()
    // They also leave out what is not always there.
    const item = (await listings.getListingsItem(sellerId, sku, places, { includedData })) as ListingsSpApi.Item & {
      summaries: { asin: string }[]
    }
    expect(item).toMatchObject({
      sku,
      summaries: [
        { status: ['BUYABLE', 'DISCOVERABLE'], itemName: 'Desert boot, sand', createdDate: expect.any(Date) },
      ],
      offers: [{ offerType: 'B2C', price: { currencyCode: 'USD', amount: '79.50' } }],
      fulfillmentAvailability: [{ fulfillmentChannelCode: 'DEFAULT', quantity: 4 }],
      issues: [],
    })

    const asin = item.summaries[0]?.asin as string
    const product = await catalog.getCatalogItem(asin, places, { includedData: ['summaries'] })
    expect(product).toMatchObject({ asin, summaries: [{ brand: 'Oasis' }] })

    const gone = await listings.deleteListingsItem(sellerId, sku, places)
    expect(gone).toMatchObject({ sku, status: 'ACCEPTED' })
    await expect(listings.getListingsItem(sellerId, sku, places)).rejects.toMatchObject({
      status: 404,
      response: { body: { errors: [{ code: 'NOT_FOUND', message: expect.stringContaining(sku) }] } },
    })
  })

  test('changes price and quantity', async () => {
    const sku = 'SOUK-SHOE-001'
    const patches = [setPrice(55.5), setQuantity(6)]
    const patched = await listings.patchListingsItem(sellerId, sku, places, { productType: 'SHOES', patches })
    expect(patched).toMatchObject({ sku, status: 'ACCEPTED', submissionId: expect.any(String), issues: [] })
    expect(await listings.getListingsItem(sellerId, sku, places, { includedData })).toMatchObject({
      offers: [{ price: { amount: '55.50' } }],
      fulfillmentAvailability: [{ quantity: 6 }],
      attributes: { purchasable_offer: [{ marketplace_id: souk.demo.marketplaceId }] },
    })
  })

  test('previews a change, and reads its issues in the requested language', async () => {
    const answer = await listings.patchListingsItem(
      sellerId,
      'SOUK-SHOE-001',
      places,
      { productType: 'SHOES', patches: [setPrice(-1)] },
      { mode: 'VALIDATION_PREVIEW', issueLocale: 'de_DE', includedData: ['identifiers', 'issues'] },
    )
    expect(answer).toMatchObject({
      status: 'INVALID',
      issues: [{ code: '90004114', severity: 'ERROR', message: expect.stringContaining('Angebot') }],
      identifiers: [{ asin: 'B0SOUK0001' }],
    })
  })

  test('throws an error with status 400 and the reason for a malformed patch', async () => {
    const patches = [{ op: 'replace', path: '/attributes/item_name' }]
    await expect(
      listings.patchListingsItem(sellerId, 'SOUK-SHOE-001', places, { productType: 'SHOES', patches }),
    ).rejects.toMatchObject({
      status: 400,
      response: { body: { errors: [{ code: 'InvalidInput', message: 'Value is missing for patch at index of 0.' }] } },
    })
  })

  test('pages through all listings', async () => {
    type Page = ListingsSpApi.ItemSearchResults & { pagination?: { nextToken?: string } }
    const skus: string[] = []
    let pageToken: string | undefined
    do {
      const options = { pageSize: 20, sortBy: 'sku', sortOrder: 'ASC', ...(pageToken && { pageToken }) }
      const page = (await listings.searchListingsItems(sellerId, places, options)) as Page
      skus.push(...page.items.map(({ sku }) => sku))
      pageToken = page.pagination?.nextToken
    } while (pageToken)
    expect(skus.length).toBeGreaterThan(190)
    expect(new Set(skus).size).toBe(skus.length)
  })

  test('searches by identifiers and times', async () => {
    const byAsin = { identifiers: ['B0SOUK0003', 'B0SOUK0103'], identifiersType: 'ASIN', withStatus: ['BUYABLE'] }
    const found = await listings.searchListingsItems(sellerId, places, byAsin)
    expect(found.numberOfResults).toBeGreaterThan(1)
    const recent = await listings.searchListingsItems(sellerId, places, { createdAfter: new Date('2030-01-01') })
    expect(recent).toMatchObject({ numberOfResults: 0, items: [] })
  })

  test('reads the restrictions of a product', async () => {
    const rug = await restrictions.getListingsRestrictions('B0SOUK0012', sellerId, places, { conditionType: 'new_new' })
    expect(rug.restrictions).toMatchObject([{ reasons: [{ reasonCode: 'APPROVAL_REQUIRED' }] }])
    const shoe = await restrictions.getListingsRestrictions('B0SOUK0001', sellerId, places)
    expect(shoe.restrictions).toEqual([])
  })

  test('searches the catalog', async () => {
    const found = await catalog.searchCatalogItems(places, { keywords: ['kilim'], includedData: ['summaries'] })
    expect(found.items?.map(({ asin }) => asin)).toContain('B0SOUK0012')
  })
})
