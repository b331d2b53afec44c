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
  test('are created and read back as they were written, with a version', async () => {
    const lamp = build('LAMP', { searchTerms: { en_US: ['light'] } })
    const [{ version }] = (await put(lamp)).json().productTypes
    expect(version).toMatch(/^[\w-]{22}$/)
    expect((await get('/LAMP')).json()).toEqual({ ...lamp, version })
  })

  test('can be written as they are read, and keep their version', async () => {
    await put(build('LAMP_1'))
    const read = (await get('/LAMP_1')).json()
    expect((await put(read)).json()).toEqual({ productTypes: [{ name: 'LAMP_1', version: read.version }] })
    expect((await get('/LAMP_1')).json()).toEqual(read)
  })

  test('get another version with another content', async () => {
    const [first] = (await put(build('LAMP_2'))).json().productTypes
    const [second] = (await put(build('LAMP_2', { displayNames: { en_US: 'Light' } }))).json().productTypes
    expect(second.version).not.toBe(first.version)
    expect((await get('/LAMP_2')).json().displayNames).toEqual({ en_US: 'Light' })
  })

  test('that come with Souk can be read, changed and written', async () => {
    const shirt = (await get('/SHIRT')).json()
    expect(shirt.displayNames).toEqual({ en_US: 'Shirt', de_DE: 'Hemd' })
    const { version: _, ...changed } = { ...shirt, displayNames: { en_US: 'Shirts and blouses' } }
    expect((await put(changed)).statusCode).toBe(200)
    const path = '/definitions/2020-09-01/productTypes/SHIRT?marketplaceIds=ATVPDKIKX0DER'
    expect((await souk.get(path, { token })).json().displayName).toBe('Shirts and blouses')
  })

  test('are listed in pages: those that the operator wrote, and no others', async () => {
    await put(build('A_LAMP'), build('B_LAMP'))
    const first = (await get('?pageSize=1')).json()
    expect(first.productTypes).toMatchObject([{ name: 'A_LAMP', version: expect.any(String) }])
    const second = (await get(`?pageSize=1&pageToken=${first.nextToken}`)).json()
    expect(second.productTypes).toMatchObject([{ name: 'B_LAMP' }])
    const names = (await get('')).json().productTypes.map(({ name }: { name: string }) => name)
    expect(names).not.toContain('SHOES')
  })

  test('are all written or none', async () => {
    const faulty = build('FAULTY', { required: { product: ['unheard_of'] } })
    expect((await put(build('GOOD'), faulty)).statusCode).toBe(400)
    expect((await get('/GOOD')).statusCode).toBe(404)
  })

  test('answer 404 where there is none', async () => {
    expect(errorOf(await get('/SPACESHIP'))).toMatchObject({ status: 404, message: 'The product type was not found.' })
  })

  test('written twice at the same time are one or the other', async () => {
    const versions = ['One', 'Two'].map((en_US) => build('RACE', { displayNames: { en_US } }))
    const answers = await Promise.all(versions.map((version) => put(version)))
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200])
    const { version, displayNames } = (await get('/RACE')).json()
    const index = displayNames.en_US === 'One' ? 0 : 1
    expect(answers[index]?.json().productTypes[0].version).toBe(version)
  })

  const withSchema = (schema: unknown) =>
    build('BAD', { attributes: { odd: { titles: { en_US: 'Odd' }, group: 'offer', schema } }, required: {} })

  test.each([
    ['a name in small letters', build('lamp'), 'productTypes[0].name'],
    ['no name in any language', build('BAD', { displayNames: {} }), 'productTypes[0].displayNames'],
    ['a key that nobody knows', build('BAD', { colour: 'red' }), 'productTypes[0].colour'],
    ['no attributes', build('BAD', { attributes: {} }), 'productTypes[0].attributes'],
    ['a schema that is none', withSchema('array'), 'productTypes[0].attributes.odd.schema'],
    [
      'a schema that leads elsewhere',
      withSchema(values({ type: 'string', $ref: 'http://elsewhere.example' })),
      'productTypes[0].attributes.odd.schema.items.properties.value.$ref',
    ],
    [
      'a pattern that could hold up the service',
      withSchema(values({ type: 'string', pattern: '^(a+)+$' })),
      'productTypes[0].attributes.odd.schema.items.properties.value.pattern',
    ],
    ['a required attribute that there is not', build('BAD', { required: { offer: ['x'] } }), 'required.offer[0]'],
  ])('with %s are refused', async (_, type, place) => {
    expect(errorOf(await put(type))).toMatchObject({
      status: 400,
      code: 'InvalidInput',
      message: expect.stringContaining(place),
    })
  })

  test('are not for sellers to write', async () => {
    const response = await souk.put('/operator/v1/productTypes', { token, payload: { productTypes: [build('MINE')] } })
    expect(response.statusCode).toBe(403)
  })
})
