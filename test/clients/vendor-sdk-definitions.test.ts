import { beforeAll, describe, expect, test } from 'vitest'
import * as DefinitionsSpApi from '../../node_modules/@amazon-sp-api-release/amazon-sp-api-sdk-js/src/producttypedefinitions_v2020_09_01/index.js'
import { startTestSouk, type TestSouk } from '../support/souk.ts'

describe("the vendor's JavaScript SDK", () => {
  let souk: TestSouk
  let definitions: DefinitionsSpApi.DefinitionsApi
  beforeAll(async () => {
    souk = await startTestSouk()
    const token = await souk.tokenFor(souk.demo.refreshToken)
    const client = new DefinitionsSpApi.ApiClient(souk.url).applyXAmzAccessTokenToRequest(token)
    definitions = new DefinitionsSpApi.DefinitionsApi(client)
  })

  test('finds product types', async () => {
    const found = await definitions.searchDefinitionsProductTypes([souk.demo.marketplaceId], { keywords: ['LUGGAGE'] })
    expect(found).toMatchObject({ productTypes: [{ name: 'LUGGAGE', displayName: 'Luggage' }] })
  })

  test('reads a definition and downloads its schema', async () => {
    const definition = await definitions.getDefinitionsProductType('SHOES', [souk.demo.marketplaceId], {
      requirements: 'LISTING',
      locale: 'de_DE',
    })
    expect(definition).toMatchObject({ productType: 'SHOES', displayName: 'Schuhe', requirements: 'LISTING' })
    const schema = await fetch(definition.schema?.link?.resource as string)
    expect(await schema.json()).toMatchObject({ properties: { brand: { title: 'Marke' } } })
  })
})
