import { describe, expect, test } from 'vitest'
import type { ProductTypeDefinition } from './definition.ts'
import { findDefinitionViolation } from './definition-violations.ts'

const entry = (value: unknown) => ({ type: 'array', items: { type: 'object', properties: { value } } })
const define = (schema: unknown, rest = {}) =>
  ({
    name: 'LAMP',
    displayNames: { en_US: 'Lamp' },
    attributes: {
      bulb: { titles: { en_US: 'Bulb' }, group: 'product_details', schema },
      price: { titles: { en_US: 'Price' }, group: 'offer', schema: entry({ type: 'number' }) },
    },
    ...rest,
  }) as unknown as ProductTypeDefinition

test('a plain definition has no violation', () => {
  const schema = { ...entry({ type: 'string', maxLength: 10 }), selectors: ['marketplace_id'], maxUniqueItems: 1 }
  expect(findDefinitionViolation(define(schema, { required: { product: ['bulb'], offer: ['price'] } }))).toBeUndefined()
})

describe('a schema is refused, with the path,', () => {
  const nested = (depth: number): object =>
    depth === 0 ? { type: 'string' } : { type: 'object', properties: { inner: nested(depth - 1) } }

  test.each([
    ['$ref', { type: 'string', $ref: 'https://elsewhere.example/schema.json' }],
    ['pattern', { type: 'string', pattern: '^(a+)+$' }],
    ['patternProperties', { type: 'object', patternProperties: { '(a+)+': {} } }],
    ['anyOf', { type: 'string', anyOf: [{}] }],
    ['uniqueItems', { type: 'array', uniqueItems: true }],
    ['$id', { type: 'string', $id: 'x' }],
  ])('for the keyword %s', (keyword, value) => {
    expect(findDefinitionViolation(define(entry(value)))).toEqual({
      path: `attributes.bulb.schema.items.properties.value.${keyword}`,
      reason: 'is not a keyword that the schema of an attribute may have',
    })
  })

  test.each([
    ['an unknown type', { type: 'text' }, '.type', /^must be one of array, object/],
    ['no type', {}, '.type', /^is required$/],
    ['an empty list of values', { type: 'string', enum: [] }, '.enum', /at least 1 item/],
    ['an unknown format', { type: 'string', format: 'regex' }, '.format', /^must be one of date, date-time$/],
    ['a bound that is not a number', { type: 'number', minimum: '0' }, '.minimum', /must be a number/],
    [
      'a name that every object has',
      { type: 'object', properties: { constructor: {} } },
      '.properties.constructor',
      /a valid name/,
    ],
    ['a value that is not a schema', true, '', /must be an object/],
  ])('for %s', (_, value, path, reason) => {
    expect(findDefinitionViolation(define(entry(value)))).toEqual({
      path: `attributes.bulb.schema.items.properties.value${path}`,
      reason: expect.stringMatching(reason),
    })
  })

  test('when it does not describe an array of objects', () => {
    const place = 'attributes.bulb.schema'
    expect(findDefinitionViolation(define({ type: 'string' }))?.path).toMatch(place)
    expect(findDefinitionViolation(define({ type: 'array' }))).toEqual({
      path: `${place}.items`,
      reason: 'is required',
    })
    const texts = { type: 'array', items: { type: 'string' } }
    expect(findDefinitionViolation(define(texts))).toEqual({ path: `${place}.items.type`, reason: 'must be object' })
  })

  test('when it is nested too deep', () => {
    expect(findDefinitionViolation(define(entry(nested(5))))).toBeUndefined()
    expect(findDefinitionViolation(define(entry(nested(20))))?.reason).toBe('is nested more than 10 levels deep')
  })
})

test('a definition that is too large is refused', () => {
  const values = Array.from({ length: 5000 }, (_, index) => `${'x'.repeat(100)}${index}`)
  expect(findDefinitionViolation(define(entry({ type: 'string', enum: values })))?.reason).toMatch(
    /more than 500000 characters/,
  )
})

test.each([
  [{ product: ['bulb', 'shade'] }, 'required.product[1]', 'is not an attribute of the type'],
  [{ product: ['toString'] }, 'required.product[0]', 'is not an attribute of the type'],
  [{ product: ['price'] }, 'required.product[0]', 'belongs to the terms of sale, so it has to be in required.offer'],
  [{ offer: ['bulb'] }, 'required.offer[0]', 'does not belong to the terms of sale'],
])('required %j is refused', (required, path, reason) => {
  expect(findDefinitionViolation(define(entry({ type: 'string' }), { required }))).toEqual({ path, reason })
})
