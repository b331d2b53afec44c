import { describe, expect, test } from 'vitest'
import { isIssue, parseMessage } from './message.ts'

const attributes = { item_name: [{ value: 'Boot' }] }
const patches = [{ op: 'replace', path: '/attributes/item_name', value: [{ value: 'Boot' }] }]
const withId = { messageId: 7, sku: 'SKU' }
const update = { ...withId, operationType: 'UPDATE', productType: 'SHOES', attributes }
const patch = { ...withId, operationType: 'PATCH', productType: 'SHOES', patches }
const remove = { ...withId, operationType: 'DELETE' }

const read = (value: unknown) => parseMessage(value, JSON.stringify(value) ?? '')
function violationOf(value: unknown, text = JSON.stringify(value)) {
  const message = parseMessage(value, text)
  if (!isIssue(message)) throw new Error(`The message is valid: ${text}`)
  expect(message).toMatchObject({ code: '4002008', severity: 'ERROR' })
  return message.message
}

describe('a message', () => {
  test('of UPDATE replaces a listing', () => {
    const change = { operation: 'PUT', productType: 'SHOES', attributes }
    expect(read(update)).toEqual({ ...withId, change })
    const requirements = 'LISTING_PRODUCT_ONLY'
    expect(read({ ...update, requirements })).toEqual({ ...withId, change: { ...change, requirements } })
  })

  test('of PARTIAL_UPDATE replaces each of its attributes', () => {
    const change = { operation: 'PARTIAL_UPDATE', productType: 'SHOES', attributes }
    expect(read({ ...update, operationType: 'PARTIAL_UPDATE' })).toEqual({ ...withId, change })
  })

  test('of PATCH contains its patches', () => {
    expect(read(patch)).toEqual({ ...withId, change: { operation: 'PATCH', productType: 'SHOES', patches } })
  })

  test('of DELETE has no other fields', () => {
    expect(read(remove)).toEqual({ ...withId, change: { operation: 'DELETE' } })
  })

  test('may have unknown keys', () => {
    expect(isIssue(read({ ...update, comment: 'x' }))).toBe(false)
  })

  test.each([1, 2_147_483_647])('may have the id %i', (messageId) => {
    expect(read({ ...remove, messageId })).toMatchObject({ messageId })
  })

  test('may have a sku of 255 characters', () => {
    expect(isIssue(read({ ...remove, sku: 'x'.repeat(255) }))).toBe(false)
  })
})

describe('a message is refused', () => {
  test.each([undefined, null, 0, -1, 1.5, 2_147_483_648, '1', true, [1]])('with the id %o', (messageId) => {
    expect(violationOf({ ...remove, messageId })).toMatch(/^messageId must be/)
  })

  test.each([undefined, null, '', 5, ['A'], 'x'.repeat(256)])('with the sku %o', (sku) => {
    expect(violationOf({ ...remove, sku })).toMatch(/^sku must be/)
  })

  test.each([undefined, null, 'update', 'constructor', '__proto__', 5, ['UPDATE']])(
    'with the operation %o',
    (operationType) => {
      expect(violationOf({ ...update, operationType })).toMatch(/^operationType must be one of/)
    },
  )

  test.each([null, 5, 'text', [], [update], true])('when it is %o', (value) => {
    expect(violationOf(value)).toBe('A message must be an object.')
  })

  test.each<[object, string]>([
    [{ ...update, patches }, 'patches is not allowed with UPDATE.'],
    [{ ...update, productType: undefined }, 'productType is required with UPDATE.'],
    [{ ...update, attributes: undefined }, 'attributes is required with UPDATE.'],
    [{ ...patch, attributes }, 'attributes is not allowed with PATCH.'],
    [{ ...patch, requirements: 'LISTING' }, 'requirements is not allowed with PATCH.'],
    [{ ...patch, patches: undefined }, 'patches is required with PATCH.'],
    [{ ...remove, attributes }, 'attributes is not allowed with DELETE.'],
    [{ ...remove, productType: 'SHOES' }, 'productType is not allowed with DELETE.'],
    [{ ...remove, patches }, 'patches is not allowed with DELETE.'],
    [{ ...remove, requirements: 'LISTING' }, 'requirements is not allowed with DELETE.'],
    [
      { ...update, operationType: 'PARTIAL_UPDATE', requirements: 'LISTING' },
      'requirements is not allowed with PARTIAL_UPDATE.',
    ],
    [{ ...update, productType: '' }, 'productType must be the name of a product type.'],
    [{ ...update, productType: 5 }, 'productType must be the name of a product type.'],
    [{ ...update, productType: null }, 'productType must be the name of a product type.'],
    [
      { ...update, requirements: 'ALL' },
      'requirements must be one of LISTING, LISTING_PRODUCT_ONLY, LISTING_OFFER_ONLY.',
    ],
    [{ ...update, attributes: {} }, 'attributes must be an object with 1 to 1000 attributes.'],
    [{ ...update, attributes: null }, 'attributes must be an object with 1 to 1000 attributes.'],
    [{ ...update, attributes: [] }, 'attributes must be an object with 1 to 1000 attributes.'],
    [{ ...patch, patches: [] }, 'patches must be a list of 1 to 500 patches.'],
    [{ ...patch, patches: {} }, 'patches must be a list of 1 to 500 patches.'],
    [{ ...patch, patches: Array(501).fill(patches[0]) }, 'patches must be a list of 1 to 500 patches.'],
  ])('if it violates the rules of its operation: %o', (message, reason) => {
    expect(violationOf(message)).toBe(reason)
  })

  test.each([
    null,
    'x',
    [],
    {},
    { op: 'replace' },
    { op: 'copy', path: '/x' },
    { op: 'add', path: 5 },
    { op: 'add', path: '/x', value: 'x' },
  ])('with the patch %o, and names its index', (odd) => {
    expect(violationOf({ ...patch, patches: [patches[0], odd] })).toMatch(/^patches\[1\] must have an op/)
  })

  test('with an escaped NUL or lone surrogate', () => {
    expect(violationOf({ ...remove, sku: 'A\0' })).toMatch(/^sku contains a NUL/)
    expect(violationOf({ ...update, attributes: { 'a\ud83d': [] } })).toMatch(/^attributes\.a\ud83d contains/)
  })

  test('with a key __proto__, plain or escaped', () => {
    for (const text of [
      '{"messageId":7,"sku":"SKU","operationType":"DELETE","__proto__":{}}',
      '{"messageId":7,"sku":"SKU","operationType":"DELETE","_\\u005fproto__":{}}',
    ]) {
      expect(violationOf(JSON.parse(text), text)).toBe('__proto__ is not allowed as a key.')
    }
  })

  test('but not for text that only resembles these', () => {
    const sku = '\\u0000 and __proto__'
    expect(isIssue(read({ ...remove, sku }))).toBe(false)
  })
})

describe('an issue', () => {
  test('has the id and the sku if they are valid', () => {
    expect(read({ ...remove, operationType: 'x' })).toMatchObject({ messageId: 7, sku: 'SKU' })
    expect(read({ ...remove, sku: 5 })).toEqual({
      messageId: 7,
      code: '4002008',
      severity: 'ERROR',
      message: expect.any(String),
    })
    expect(read({ ...remove, messageId: 'x' })).not.toHaveProperty('messageId')
  })

  test('omits a sku that cannot be stored', () => {
    expect(read({ ...remove, sku: 'A\0' })).not.toHaveProperty('sku')
    expect(read({ ...remove, sku: '\ud83d' })).not.toHaveProperty('sku')
  })
})
