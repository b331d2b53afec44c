import { createHash } from 'node:crypto'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { shoeAttributes } from '../../support/shoes.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

const US = 'ATVPDKIKX0DER'
const DE = 'A1PA6795UKMFR9'

let souk: TestSouk
let token: string
beforeAll(async () => {
  souk = await startTestSouk()
  token = await souk.tokenFor(souk.demo.refreshToken)
})

const get = (name: string, query: Record<string, string> = {}, asToken = token) =>
  souk.get(`/definitions/2020-09-01/productTypes/${name}?${new URLSearchParams({ marketplaceIds: US, ...query })}`, {
    token: asToken,
  })

interface SchemaLink {
  link: { resource: string; verb: string }
  checksum: string
}

/** Downloads a link like a client: over the network, without a token, verifying the checksum. */
async function fetchLink({ link, checksum }: SchemaLink) {
  const response = await fetch(link.resource, { method: link.verb })
  expect(response.status).toBe(200)
  const bytes = Buffer.from(await response.arrayBuffer())
  expect(createHash('md5').update(bytes).digest('base64')).toBe(checksum)
  return { response, document: JSON.parse(bytes.toString()) }
}

async function schemaOf(name: string, query: Record<string, string> = {}) {
  return (await fetchLink((await get(name, query)).json().schema)).document
}

/** A validator compiled from the linked schemas, as a client would. */
async function validatorOf(name: string, query: Record<string, string> = {}) {
  const { metaSchema, schema } = (await get(name, query)).json()
  const ajv = new Ajv2019({ allErrors: true, strictTypes: false, formats: { date: true, 'date-time': true } })
  for (const keyword of ['selectors', 'maxUniqueItems']) ajv.addKeyword(keyword)
  ajv.addMetaSchema((await fetchLink(metaSchema)).document)
  return ajv.compile((await fetchLink(schema)).document)
}

describe('getDefinitionsProductType', () => {
  test('links to a schema that validates the listing of the specification', async () => {
    const isValid = await validatorOf('SHOES', { requirements: 'LISTING_PRODUCT_ONLY' })
    const attributes = shoeAttributes()
    expect(isValid(attributes), JSON.stringify(isValid.errors)).toBe(true)
    expect(isValid({ ...attributes, brand: [{ value: 5 }] })).toBe(false)
    expect(isValid({ ...attributes, colour: [{ value: 'red' }] })).toBe(false)
    const { item_name: _, ...nameless } = attributes
    expect(isValid(nameless)).toBe(false)
  })

  test('links to a schema of complete listings that requires numbers for prices and quantities', async () => {
    const isValid = await validatorOf('SHOES', { requirements: 'LISTING' })
    expect(isValid(shoeAttributes())).toBe(false)
    const withNumbers = {
      ...shoeAttributes(),
      purchasable_offer: [{ currency: 'EUR', our_price: [{ schedule: [{ value_with_tax: 59.9 }] }] }],
      fulfillment_availability: [{ fulfillment_channel_code: 'DEFAULT', quantity: 12 }],
    }
    expect(isValid(withNumbers), JSON.stringify(isValid.errors)).toBe(true)
  })

  test('returns the properties of the definition, with defaults for missing parameters', async () => {
    const definition = (await get('SHOES')).json()
    expect(definition).toMatchObject({
      metaSchema: { link: { verb: 'GET' } },
      schema: { link: { verb: 'GET' } },
      requirements: 'LISTING',
      requirementsEnforced: 'ENFORCED',
      locale: 'en_US',
      marketplaceIds: [US],
      productType: 'SHOES',
      displayName: 'Shoes',
      productTypeVersion: { version: expect.stringMatching(/^[\w-]{22}$/), latest: true, releaseCandidate: false },
    })
    expect(definition.propertyGroups.offer).toMatchObject({
      title: 'Offer',
      description: expect.any(String),
      propertyNames: expect.arrayContaining(['purchasable_offer', 'fulfillment_availability', 'condition_type']),
    })
  })

  test('restricts the schema to the requested requirements', async () => {
    const product = await schemaOf('SHOES', { requirements: 'LISTING_PRODUCT_ONLY' })
    expect(product.properties).toHaveProperty('item_name')
    expect(product.properties).not.toHaveProperty('purchasable_offer')
    const offer = await schemaOf('SHOES', { requirements: 'LISTING_OFFER_ONLY' })
    expect(offer.properties).not.toHaveProperty('item_name')
    expect(offer.properties).toHaveProperty('purchasable_offer')
    expect((await get('SHOES', { requirements: 'LISTING_OFFER_ONLY' })).json()).toMatchObject({
      requirements: 'LISTING_OFFER_ONLY',
      propertyGroups: expect.not.objectContaining({ images: expect.anything() }),
    })
  })

  test('omits required fields if requirements are not enforced', async () => {
    expect((await validatorOf('SHOES'))({})).toBe(false)
    const isValid = await validatorOf('SHOES', { requirementsEnforced: 'NOT_ENFORCED' })
    expect(isValid({})).toBe(true)
    expect(isValid({ brand: [] })).toBe(false)
  })

  test('uses the requested language, or that of the marketplace, or English', async () => {
    const localeFor = async (query: Record<string, string>) => {
      const { locale, displayName, propertyGroups } = (await get('SHOES', query)).json()
      const { title, properties } = await schemaOf('SHOES', query)
      expect(title).toBe(displayName)
      return [locale, displayName, propertyGroups.images.title, properties.brand.title]
    }
    const german = ['de_DE', 'Schuhe', 'Bilder', 'Marke']
    const english = ['en_US', 'Shoes', 'Images', 'Brand']
    expect(await localeFor({ marketplaceIds: DE })).toEqual(german)
    expect(await localeFor({ locale: 'de' })).toEqual(german)
    expect(await localeFor({ marketplaceIds: DE, locale: 'DEFAULT' })).toEqual(german)
    expect(await localeFor({ marketplaceIds: DE, locale: 'en_GB' })).toEqual(english)
    expect(await localeFor({ locale: 'fr_FR' })).toEqual(english)
  })

  test('resolves the conditions of a parentage level', async () => {
    expect(await schemaOf('SHOES')).toHaveProperty('if')
    const parent = await schemaOf('SHOES', { parentageLevel: 'PARENT' })
    expect(parent).not.toHaveProperty('if')
    expect(parent.required).toContain('variation_theme')
    expect(parent.required).not.toContain('purchasable_offer')
    const standalone = await schemaOf('SHOES', { parentageLevel: 'NONE' })
    expect(standalone.properties).not.toHaveProperty('parentage_level')
  })

  test('returns the latest version by its aliases and by its id', async () => {
    const { productTypeVersion } = (await get('SHOES')).json()
    for (const version of ['LATEST', 'RELEASE_CANDIDATE', productTypeVersion.version]) {
      expect((await get('SHOES', { productTypeVersion: version })).json()).toMatchObject({ productTypeVersion })
    }
  })

  test('returns 404 for an unknown product type or version', async () => {
    expect(errorOf(await get('SPACESHIP'))).toMatchObject({
      status: 404,
      code: 'NotFound',
      details: expect.stringContaining('SPACESHIP'),
    })
    expect(errorOf(await get('shoes'))).toMatchObject({ status: 404 })
    expect(errorOf(await get('constructor'))).toMatchObject({ status: 404 })
    expect(errorOf(await get('SHOES', { productTypeVersion: 'U90' }))).toMatchObject({ status: 404 })
  })

  test.each([
    ['no marketplace', { marketplaceIds: '' }, 'marketplaceIds'],
    ['two marketplaces', { marketplaceIds: `${US},${DE}` }, 'marketplaceIds'],
    ['unknown requirements', { requirements: 'ALL' }, 'requirements'],
    ['an unknown enforcement', { requirementsEnforced: 'true' }, 'requirementsEnforced'],
    ['an unknown parentage level', { parentageLevel: 'GRANDCHILD' }, 'parentageLevel'],
    ['an invalid locale', { locale: 'english' }, 'locale'],
    ['an empty version', { productTypeVersion: '' }, 'productTypeVersion'],
    ['an invalid seller id', { sellerId: 'me' }, 'sellerId'],
  ])('refuses %s', async (_, query, named) => {
    expect(errorOf(await get('SHOES', query))).toMatchObject({ status: 400, message: expect.stringContaining(named) })
  })

  test("accepts the caller's seller id, and refuses another seller id and a marketplace without participation", async () => {
    expect((await get('SHOES', { sellerId: souk.demo.sellerId })).statusCode).toBe(200)
    expect(errorOf(await get('SHOES', { sellerId: souk.demo.otherSeller.sellerId }))).toMatchObject({ status: 403 })
    const otherToken = await souk.tokenFor(souk.demo.otherSeller.refreshToken)
    expect(errorOf(await get('SHOES', { marketplaceIds: DE }, otherToken))).toMatchObject({ status: 403 })
  })
})

describe('a linked schema', () => {
  test('is JSON and can be cached for one day', async () => {
    const { schema, metaSchema } = (await get('SHOES')).json()
    for (const link of [schema, metaSchema]) {
      const { response } = await fetchLink(link)
      expect(response.headers.get('cache-control')).toBe('public, max-age=86400')
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    }
  })

  test('is at the public URL of the service', async () => {
    const other = await startTestSouk({ publicUrl: 'https://souk.example' })
    const path = `/definitions/2020-09-01/productTypes/HOME?marketplaceIds=${US}`
    const { schema, metaSchema } = (
      await other.get(path, { token: await other.tokenFor(other.demo.refreshToken) })
    ).json()
    expect(schema.link.resource).toMatch(/^https:\/\/souk\.example\/definitions\//)
    expect(metaSchema.link.resource).toMatch(/^https:\/\/souk\.example\/definitions\//)
  })

  test('returns 404 once the operator has replaced the product type; the new schema is linked immediately', async () => {
    const { schema, productTypeVersion } = (await get('HOME')).json()
    const shown = (await souk.get('/operator/v1/productTypes/HOME', { headers: souk.operator })).json()
    const { room_type: _, ...attributes } = shown.attributes
    const payload = { productTypes: [{ ...shown, attributes }] }
    expect((await souk.put('/operator/v1/productTypes', { headers: souk.operator, payload })).statusCode).toBe(200)
    expect((await fetch(schema.link.resource)).status).toBe(404)
    const after = (await get('HOME')).json()
    expect(after.productTypeVersion.version).not.toBe(productTypeVersion.version)
    expect(after.schema.checksum).not.toBe(schema.checksum)
    expect((await schemaOf('HOME')).properties).not.toHaveProperty('room_type')
    const old = await get('HOME', { productTypeVersion: productTypeVersion.version })
    expect(errorOf(old)).toMatchObject({ status: 404, details: expect.stringContaining('no longer') })
  })

  test('is refused with parameters that no link contains', async () => {
    const { version } = (await get('SHOES')).json().productTypeVersion
    const path = `/definitions/2020-09-01/schemas/SHOES/${version}`
    expect((await souk.get(`${path}?locale=en_US`)).statusCode).toBe(200)
    expect(errorOf(await souk.get(`${path}?locale=en_US&requirements=ALL`))).toMatchObject({ status: 400 })
    expect(errorOf(await souk.get(path))).toMatchObject({ status: 400, message: expect.stringContaining('locale') })
    expect(errorOf(await souk.get('/definitions/2020-09-01/schemas/SHOES/1?locale=en_US'))).toMatchObject({
      status: 404,
    })
  })
})
