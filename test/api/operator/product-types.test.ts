import { beforeAll, describe, expect, test } from 'vitest'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let token: string
beforeAll(async () => {
  souk = await startTestSouk()
  token = await souk.tokenFor(souk.demo.refreshToken)
})

const put = (...productTypes: unknown[]) =>
  souk.put('/operator/v1/productTypes', { headers: souk.operator, payload: { productTypes } })
const get = (path: string) => souk.get(`/operator/v1/productTypes${path}`, { headers: souk.operator })

const values = (value: object) => ({
  type: 'array',
  minItems: 1,
  selectors: ['marketplace_id'],
  maxUniqueItems: 1,
  items: { type: 'object', properties: { value }, required: ['value'] },
})
const build = (name: string, overrides = {}) => ({
  name,
  displayNames: { en_US: 'Lamp', de_DE: 'Lampe' },
  attributes: {
    item_name: {
      titles: { en_US: 'Name' },
      group: 'product_identity',
      schema: values({ type: 'string', maxLength: 50 }),
    },
    purchasable_offer: { titles: { en_US: 'Offer' }, group: 'offer', schema: values({ type: 'number', minimum: 0 }) },
  },
  required: { product: ['item_name'], offer: ['purchasable_offer'] },
  ...overrides,
})

describe('product types', () => {
  test('are created and returned unchanged, with a version', async () => {
    const lamp = build('LAMP', { searchTerms: { en_US: ['light'] } })
    const [{ version }] = (await put(lamp)).json().productTypes
    expect(version).toMatch(/^[\w-]{22}$/)
    expect((await get('/LAMP')).json()).toEqual({ ...lamp, version })
  })

  test('can be written back as returned, and keep their version', async () => {
    await put(build('LAMP_1'))
    const read = (await get('/LAMP_1')).json()
    expect((await put(read)).json()).toEqual({ productTypes: [{ name: 'LAMP_1', version: read.version }] })
    expect((await get('/LAMP_1')).json()).toEqual(read)
  })

  test('get a new version when their content changes', async () => {
    const [first] = (await put(build('LAMP_2'))).json().productTypes
    const [second] = (await put(build('LAMP_2', { displayNames: { en_US: 'Light' } }))).json().productTypes
    expect(second.version).not.toBe(first.version)
    expect((await get('/LAMP_2')).json().displayNames).toEqual({ en_US: 'Light' })
  })

  test('that are built in can be read, changed and written', async () => {
    const shirt = (await get('/SHIRT')).json()
    expect(shirt.displayNames).toEqual({ en_US: 'Shirt', de_DE: 'Hemd' })
    const { version: _, ...changed } = { ...shirt, displayNames: { en_US: 'Shirts and blouses' } }
    expect((await put(changed)).statusCode).toBe(200)
    const path = '/definitions/2020-09-01/productTypes/SHIRT?marketplaceIds=ATVPDKIKX0DER'
    expect((await souk.get(path, { token })).json().displayName).toBe('Shirts and blouses')
  })

  test("are listed in pages: only the operator's, not the built-in ones", async () => {
    await put(build('A_LAMP'), build('B_LAMP'))
    const first = (await get('?pageSize=1')).json()
    expect(first.productTypes).toMatchObject([{ name: 'A_LAMP', version: expect.any(String) }])
    const second = (await get(`?pageSize=1&pageToken=${first.nextToken}`)).json()
    expect(second.productTypes).toMatchObject([{ name: 'B_LAMP' }])
    const names = (await get('')).json().productTypes.map(({ name }: { name: string }) => name)
    expect(names).not.toContain('SHOES')
  })

  test('of a batch are written all or none', async () => {
    const faulty = build('FAULTY', { required: { product: ['unheard_of'] } })
    expect((await put(build('GOOD'), faulty)).statusCode).toBe(400)
    expect((await get('/GOOD')).statusCode).toBe(404)
  })

  test('return 404 if they do not exist', async () => {
    expect(errorOf(await get('/SPACESHIP'))).toMatchObject({ status: 404, message: 'The product type was not found.' })
  })

  test('written concurrently end as one of the versions', async () => {
    const versions = ['One', 'Two'].map((en_US) => build('RACE', { displayNames: { en_US } }))
    const responses = await Promise.all(versions.map((version) => put(version)))
    expect(responses.map((response) => response.statusCode)).toEqual([200, 200])
    const { version, displayNames } = (await get('/RACE')).json()
    const index = displayNames.en_US === 'One' ? 0 : 1
    expect(responses[index]?.json().productTypes[0].version).toBe(version)
  })

  const withSchema = (schema: unknown) =>
    build('BAD', { attributes: { odd: { titles: { en_US: 'Odd' }, group: 'offer', schema } }, required: {} })

  test.each([
    ['a name in lowercase', build('lamp'), 'productTypes[0].name'],
    ['no display name', build('BAD', { displayNames: {} }), 'productTypes[0].displayNames'],
    ['an unknown key', build('BAD', { color: 'red' }), 'productTypes[0].color'],
    ['no attributes', build('BAD', { attributes: {} }), 'productTypes[0].attributes'],
    ['an invalid schema', withSchema('array'), 'productTypes[0].attributes.odd.schema'],
    [
      'a schema with a reference',
      withSchema(values({ type: 'string', $ref: 'http://elsewhere.example' })),
      'productTypes[0].attributes.odd.schema.items.properties.value.$ref',
    ],
    [
      'a pattern with catastrophic backtracking',
      withSchema(values({ type: 'string', pattern: '^(a+)+$' })),
      'productTypes[0].attributes.odd.schema.items.properties.value.pattern',
    ],
    ['a required attribute that does not exist', build('BAD', { required: { offer: ['x'] } }), 'required.offer[0]'],
  ])('with %s are refused', async (_, type, field) => {
    expect(errorOf(await put(type))).toMatchObject({
      status: 400,
      code: 'InvalidInput',
      message: expect.stringContaining(field),
    })
  })

  test('cannot be written by sellers', async () => {
    const response = await souk.put('/operator/v1/productTypes', { token, payload: { productTypes: [build('MINE')] } })
    expect(response.statusCode).toBe(403)
  })
})
