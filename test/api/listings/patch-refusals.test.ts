import { beforeAll, describe, expect, test } from 'vitest'
import {
  expectNoChanges,
  IN_US,
  type ListingsClient,
  setAttribute,
  setPrice,
  setQuantity,
  startWatchedListings,
  statusAndIssuesOf,
  type Watch,
} from '../../support/listings.ts'
import { errorOf, NOTIFICATIONS, reasonOf, type TestSouk } from '../../support/souk.ts'

const SKU = 'SOUK-SHOE-001'

let souk: TestSouk
let token: string
let listings: ListingsClient
let watch: Watch
beforeAll(async () => {
  ;({ souk, token, listings, watch } = await startWatchedListings())
})

expectNoChanges(() => ({ souk, watch }))

const address = (sku: string, query = IN_US, sellerId: string = souk.demo.sellerId) =>
  `/listings/2021-08-01/items/${sellerId}/${sku}?${query}`
const send = (payload: object, query = IN_US, headers = {}) =>
  souk.send('PATCH', address(SKU, query), { token, payload, headers })

// The specification's words, and its empty details.
const INVALID_PATCH = {
  status: 400,
  code: 'InvalidInput',
  message: 'Request has missing or invalid parameters and cannot be parsed.',
  details: '',
}

const good = { productType: 'SHOES', patches: [setQuantity(999)] }

/** The reason names the place first: `patches[0].op must be ...` or `productType: There is no ...`. */
const startsWith = (place: string) => new RegExp(`^${place.replaceAll(/[[\].]/g, '\\$&')}[ :]`)

describe('an invalid request returns 400 with the reason, and changes nothing', () => {
  const op = 'replace'
  const path = '/attributes/item_name'
  const value = [{ value: 'x' }]

  test.each<[string, object, string]>([
    ['patches that are an object', { patches: { op, path, value } }, 'patches'],
    ['no patches', { patches: [] }, 'patches'],
    ['patches that are missing', {}, 'patches'],
    ['patches that are null', { patches: null }, 'patches'],
    ['patches that are text', { patches: '[]' }, 'patches'],
    ['a patch that is not an object', { patches: ['replace'] }, 'patches[0]'],
    ['a patch without op', { patches: [{ path, value }] }, 'patches[0].op'],
    ['an unknown op', { patches: [{ op: 'test', path, value }] }, 'patches[0].op'],
    ['an op in capitals', { patches: [{ op: 'REPLACE', path, value }] }, 'patches[0].op'],
    ['a patch without path', { patches: [{ op, value }] }, 'patches[0].path'],
    ['a value of null', { patches: [{ op, path, value: null }] }, 'patches[0].value'],
    ['a value that is one entry', { patches: [{ op, path, value: value[0] }] }, 'patches[0].value'],
    ['a value that is text', { patches: [{ op, path, value: 'x' }] }, 'patches[0].value'],
    ['entries that are text', { patches: [{ op, path, value: ['Boot'] }] }, 'patches[0].value[0]'],
    ['entries that are null', { patches: [{ op, path, value: [null] }] }, 'patches[0].value[0]'],
    ['entries that are lists', { patches: [{ op, path, value: [[]] }] }, 'patches[0].value[0]'],
    ['an unknown product type', { ...good, productType: 'SPACESHIP' }, 'productType'],
    ['an empty product type', { ...good, productType: '' }, 'productType'],
    ['a product type that every object has', { ...good, productType: 'constructor' }, 'productType'],
    ['a product type that is not a string', { ...good, productType: 5 }, 'productType'],
    ['more patches than anyone sends', { patches: Array(501).fill({ op, path, value }) }, 'patches'],
  ])('%s', async (_, body, place) => {
    const response = await send({ productType: 'SHOES', ...body })
    expect(errorOf(response)).toEqual(INVALID_PATCH)
    expect(reasonOf(response)).toMatch(startsWith(place))
  })

  test('a body without a product type', async () => {
    const response = await send({ patches: good.patches })
    expect(errorOf(response)).toEqual(INVALID_PATCH)
    expect(reasonOf(response)).toBe('productType is required.')
  })

  test.each([
    '/attributes/purchasable_offer/0/our_price',
    '/attributes/',
    '/attributes',
    '/attributes/item_name/',
    '/item_name',
    'attributes/item_name',
    '/summaries/0',
    '/ATTRIBUTES/item_name',
    '',
  ])('the path "%s"', async (odd) => {
    const patches = [setQuantity(999), { op, path: odd, value }]
    const response = await listings.patch(SKU, patches)
    expect(errorOf(response)).toEqual({ ...INVALID_PATCH, message: 'Invalid path provided in patch at index of 1.' })
    expect(reasonOf(response)).toBe('patches[1].path must be /attributes/ and the name of one attribute.')
  })

  test.each(['add', 'replace', 'merge'])('%s without a value, with the index of the patch', async (name) => {
    const patches = [setQuantity(999), setPrice(1), { op: name, path }]
    const response = await listings.patch(SKU, patches)
    expect(errorOf(response)).toEqual({ ...INVALID_PATCH, message: 'Value is missing for patch at index of 2.' })
    expect(reasonOf(response)).toMatch(startsWith('patches[2].value'))
  })

  test.each([
    ['', 'marketplaceIds'],
    ['marketplaceIds=', 'marketplaceIds'],
    ['marketplaceIds=NOWHERE', 'marketplaceIds'],
    ['marketplaceIds=not-an-id', 'marketplaceIds[0]'],
    [`${IN_US}&mode=VALIDATE`, 'mode'],
    [`${IN_US}&mode=`, 'mode'],
    [`${IN_US}&includedData=attributes`, 'includedData[0]'],
    [`${IN_US}&issueLocale=deutsch`, 'issueLocale'],
  ])('the query "%s"', async (query, place) => {
    const response = await send(good, query)
    expect(errorOf(response)).toEqual(INVALID_PATCH)
    expect(reasonOf(response)).toMatch(startsWith(place))
  })

  test('a SKU of more than 255 characters', async () => {
    const response = await listings.patch('x'.repeat(256), good.patches)
    expect(errorOf(response)).toEqual(INVALID_PATCH)
    expect(reasonOf(response)).toMatch(startsWith('sku'))
  })

  test.each([
    [
      '__proto__ in the body',
      '{"productType":"SHOES","patches":[{"op":"delete","path":"/a","__proto__":{}}]}',
      '__proto__',
    ],
    ['a duplicate key', '{"productType":"SHOES","productType":"SHIRT","patches":[]}', 'twice'],
    [
      'a body nested a thousand levels deep',
      `{"productType":"SHOES","patches":${'['.repeat(1000)}${']'.repeat(1000)}}`,
      'nested',
    ],
    ['a body that is not JSON', '{"productType"', 'not valid JSON'],
    ['a body that is a list', '[]', 'body'],
    ['a body that is null', 'null', 'missing'],
  ])('%s', async (_, payload, reason) => {
    const headers = { 'content-type': 'application/json' }
    const response = await souk.send('PATCH', address(SKU), { token, payload, headers })
    expect(errorOf(response)).toEqual(INVALID_PATCH)
    expect(reasonOf(response)).toContain(reason)
  })

  test('no body at all', async () => {
    const response = await souk.send('PATCH', address(SKU), { token })
    expect(errorOf(response)).toEqual(INVALID_PATCH)
    expect(reasonOf(response)).toContain('The request body is missing.')
  })

  test('the older path of a widely used client', async () => {
    const path = address(SKU).replace('2021-08-01', '2020-09-01')
    expect(errorOf(await souk.send('PATCH', path, { token, payload: {} }))).toEqual(INVALID_PATCH)
  })

  test('a SKU with the character NUL', async () => {
    expect(errorOf(await souk.send('PATCH', address('A%00B'), { token, payload: good }))).toEqual(INVALID_PATCH)
  })

  test.each(['text/plain', 'application/xml', 'application/x-www-form-urlencoded'])('%s is 415', async (type) => {
    const response = await souk.send('PATCH', address(SKU), {
      token,
      payload: JSON.stringify(good),
      headers: { 'content-type': type },
    })
    expect(errorOf(response)).toMatchObject({ status: 415, code: 'UnsupportedMediaType' })
  })
})

describe('invalid attributes return 200 INVALID with an issue, and change nothing', () => {
  const deep = JSON.parse(`${'{"a":'.repeat(90)}1${'}'.repeat(90)}`)
  const many = Array.from({ length: 6_000 }, (_, index) => ({ value: `Point ${index}`, language_tag: `l${index}` }))

  test.each<[string, string, unknown[]]>([
    ['no entries', 'item_name', []],
    ['a number for text', 'item_name', [{ value: 5 }]],
    ['text for a price', 'purchasable_offer', [{ currency: 'USD', our_price: 'cheap' }]],
    ['a price of null', 'purchasable_offer', [{ currency: 'USD', our_price: null }]],
    ['a price too deep', 'purchasable_offer', [{ currency: 'USD', our_price: deep }]],
    ['half a quantity', 'fulfillment_availability', [{ fulfillment_channel_code: 'DEFAULT', quantity: 1.5 }]],
    [
      'a quantity that is no number',
      'fulfillment_availability',
      [{ fulfillment_channel_code: 'DEFAULT', quantity: '1e3' }],
    ],
    ['an unknown channel', 'fulfillment_availability', [{ fulfillment_channel_code: 'DRONE', quantity: 1 }]],
    ['an unknown condition', 'condition_type', [{ value: 'worn' }]],
    ['a name of a megabyte', 'item_name', [{ value: 'x'.repeat(1_000_000) }]],
    ['6,000 entries', 'bullet_point', many],
    ['an unknown attribute', 'warp_drive', [{ value: 1 }]],
    ['the attribute __proto__', '__proto__', [{ value: 1 }]],
    ['the attribute constructor', 'constructor', [{ value: 1 }]],
    ['the attribute toString', 'toString', [{ value: 1 }]],
    ['a marketplace that is an object', 'item_name', [{ value: 'x', marketplace_id: { toString: 1 } }]],
    ['a marketplace that is null', 'item_name', [{ value: 'x', marketplace_id: null }]],
  ])('%s', async (_, name, value) => {
    for (const op of ['add', 'merge']) {
      // Adding an empty list of entries is valid.
      if (op === 'merge' && value.length === 0) continue
      const response = await listings.patch(SKU, [setQuantity(999), { op, path: `/attributes/${name}`, value }])
      expect(response.statusCode, response.body).toBe(200)
      expect(statusAndIssuesOf(response)).toMatchObject({
        status: 'INVALID',
        issues: expect.arrayContaining([expect.stringContaining(name)]),
      })
    }
    const preview = await listings.patch(
      SKU,
      [{ op: 'add', path: `/attributes/${name}`, value }],
      `${IN_US}&mode=VALIDATION_PREVIEW`,
    )
    expect(statusAndIssuesOf(preview).status).toBe('INVALID')
  })

  test('entries to delete are invalid', async () => {
    for (const value of [[{ marketplace_id: { toString: 1 } }], [{ marketplace_id: 7 }]]) {
      const response = await listings.patch(SKU, [{ op: 'delete', path: '/attributes/style', value }])
      expect(statusAndIssuesOf(response)).toMatchObject({ status: 'INVALID', issues: ['90000900 style'] })
    }
  })

  test.each(['merge', 'delete'])('a %s of as many entries as a request can contain responds in time', async (op) => {
    const value = Array.from({ length: 6_500 }, (_, index) => ({ value: 'x', language_tag: `l${index}` }))
    const path = '/attributes/bullet_point'
    const response = await listings.patch(SKU, [setQuantity(-1), { op, path, value }])
    expect(statusAndIssuesOf(response).status).toBe('INVALID')
  })
})

describe('a preview', () => {
  const PREVIEW = `${IN_US}&mode=VALIDATION_PREVIEW`

  test('returns VALID and writes nothing: no listing, submission, event or job', async () => {
    const patches = [setPrice(1), setQuantity(2), setAttribute('item_name', { value: 'Another' })]
    for (const sku of [SKU, 'NEVER-SEEN', 'SOUK-GHOST-001']) {
      const response = await listings.patch(sku, patches, PREVIEW)
      expect(response.json()).toEqual({ sku, status: 'VALID', submissionId: expect.any(String), issues: [] })
    }
  })

  test('returns INVALID with the issues of a real submission', async () => {
    const patches = [setPrice(-1), { op: 'delete', path: '/attributes/item_name' }]
    const [preview, real] = [await listings.patch(SKU, patches, PREVIEW), await listings.patch(SKU, patches)]
    expect(preview.json().issues).toEqual(real.json().issues)
    expect(statusAndIssuesOf(preview)).toEqual({
      status: 'INVALID',
      issues: ['90004114 purchasable_offer', '90220 item_name'],
    })
  })

  test('is refused like a real submission', async () => {
    expect(errorOf(await listings.patch(SKU, [{ op: 'add', path: '/x', value: [] }], PREVIEW)).status).toBe(400)
    expect(errorOf(await listings.patch(SKU, 'garbage', PREVIEW)).status).toBe(400)
    expect(errorOf(await listings.patch(SKU, good.patches, PREVIEW, 'SPACESHIP')).status).toBe(400)
  })
})

describe('is forbidden for', () => {
  const other = () => souk.demo.otherSeller.sellerId
  const patch = (own: string | undefined, query?: string, sellerId?: string) =>
    souk.send('PATCH', address(SKU, query, sellerId), { ...(own && { token: own }), payload: good })

  test('another seller, through either path: 403', async () => {
    const others = await souk.tokenFor(souk.demo.otherSeller.refreshToken)
    expect(errorOf(await patch(token, IN_US, other()))).toMatchObject({ status: 403, code: 'Unauthorized' })
    expect(errorOf(await patch(others))).toMatchObject({ status: 403, code: 'Unauthorized' })
    expect(errorOf(await patch(others, `marketplaceIds=A1PA6795UKMFR9`, other()))).toMatchObject({ status: 403 })
  })

  test('a seller who does not participate in all of the marketplaces: 403', async () => {
    for (const query of ['marketplaceIds=A1VC38T7YXB528', `${IN_US},A1VC38T7YXB528`]) {
      expect(errorOf(await patch(token, query))).toMatchObject({ status: 403, code: 'Unauthorized' })
    }
  })

  test('a caller without a token, with a wrong token, or with a token without a seller: 403', async () => {
    expect(errorOf(await patch(undefined)).status).toBe(403)
    expect(errorOf(await patch('Atza|nonsense')).status).toBe(403)
    expect(errorOf(await patch(await souk.grantlessToken(NOTIFICATIONS))).status).toBe(403)
  })
})
