import { beforeAll, describe, expect, test } from 'vitest'
import { cpuMicrosecondsOf } from '../../../test/support/cpu-time.ts'
import { emptyReader } from '../../../test/support/empty-reader.ts'
import { shoeAttributes } from '../../../test/support/shoes.ts'
import { builtInTypes } from './built-in/index.ts'
import { MAX_VIOLATIONS } from './compiler.ts'
import type { Requirements } from './definition.ts'
import { findDefinitionViolation } from './definition-violations.ts'
import type { ProductType } from './product-type.ts'
import { ProductTypes } from './product-types.ts'

/** A database in which the operator has written nothing. */

const types = new ProductTypes()
const typeNamed = async (name: string) => (await types.find(emptyReader, name)) as ProductType

let shoes: ProductType
beforeAll(async () => {
  shoes = await typeNamed('SHOES')
})

const offer = (overrides = {}) => [
  { currency: 'EUR', our_price: [{ schedule: [{ value_with_tax: 59.9 }] }], ...overrides },
]

describe('the attributes of a shoe that the specification names', () => {
  test('are valid as a product, with its offer and without', () => {
    const attributes = shoes.normalizeAttributes(shoeAttributes())
    expect(shoes.checkAll(attributes, 'LISTING_PRODUCT_ONLY')).toEqual([])
    expect(shoes.checkAll(attributes, 'LISTING')).toEqual([])
    const product = Object.entries(attributes).filter(([name]) => !shoes.isOffer(name))
    expect(shoes.checkAll(Object.fromEntries(product), 'LISTING_PRODUCT_ONLY')).toEqual([])
  })

  test('are numbers after normalization if the feed has text', () => {
    const asText = {
      ...shoeAttributes(),
      item_weight: [{ unit: 'grams', value: '420' }],
      heel: [{ height: [{ decimal_value: '2.5', unit: 'centimeters' }] }],
    }
    const attributes = shoes.normalizeAttributes(asText)
    expect(attributes).toMatchObject({
      purchasable_offer: [{ our_price: [{ schedule: [{ value_with_tax: 59.9 }] }] }],
      fulfillment_availability: [{ quantity: 12, lead_time_to_ship_max_days: 3 }],
      item_weight: [{ value: 420 }],
      heel: [{ height: [{ decimal_value: 2.5 }] }],
      recommended_browse_nodes: [{ value: '1760304031' }],
    })
    expect(shoes.checkAll(attributes, 'LISTING')).toEqual([])
  })

  test('are valid for the wildcard type, which requires none', async () => {
    const wildcard = await typeNamed('PRODUCT')
    expect(wildcard.checkAll(wildcard.normalizeAttributes(shoeAttributes()), 'LISTING')).toEqual([])
    expect(wildcard.checkAll({}, 'LISTING')).toEqual([])
  })
})

test('long texts are checked as fast as short ones: a patch may check a listing 500 times', () => {
  const bulletsOf = (length: number) =>
    Array.from({ length: 450 }, (_, index) => ({ value: 'x'.repeat(length), language_tag: `l${index % 45}` }))
  const take = (bullets: object[]) =>
    cpuMicrosecondsOf(() => {
      for (let times = 0; times < 10; times++) expect(shoes.check('bullet_point', bullets)).toEqual([])
    })
  const [short, long] = [bulletsOf(1), bulletsOf(1000)]
  const rounds = [0, 1, 2, 3, 4].map(() => [take(short), take(long)] as const)
  const shortest = Math.min(...rounds.map(([microseconds]) => microseconds))
  expect(Math.min(...rounds.map(([, microseconds]) => microseconds))).toBeLessThan(5 * Math.max(shortest, 1_000))
})

describe('a built-in type', () => {
  test.each(builtInTypes.map(({ name }) => name))('%s is valid as a definition of an operator', (name) => {
    const definition = builtInTypes.find((type) => type.name === name)
    expect(definition && findDefinitionViolation(definition)).toBeUndefined()
  })

  test.each(builtInTypes.map(({ name }) => name))(
    '%s has a title in both languages for each attribute',
    async (name) => {
      const type = await typeNamed(name)
      for (const attribute of type.attributeNames) {
        expect(type.title(attribute, 'en_US'), attribute).not.toBe('')
        expect(type.title(attribute, 'de_DE'), attribute).not.toBe('')
      }
    },
  )

  test('the wildcard has every attribute of every type', async () => {
    const wildcard = await typeNamed('PRODUCT')
    const unknown = builtInTypes.flatMap(({ attributes }) =>
      Object.keys(attributes).filter((name) => !wildcard.has(name)),
    )
    expect(unknown).toEqual([])
  })
})

describe('check', () => {
  test.each([
    ['is required', 'purchasable_offer', offer({ currency: undefined }), 'required', '[0].currency', undefined],
    ['is empty text', 'item_name', [{ value: '' }], 'required', '[0].value', undefined],
    ['has no entries', 'bullet_point', [], 'tooFew', '', '1'],
    [
      'is below the minimum',
      'purchasable_offer',
      offer({ our_price: [{ schedule: [{ value_with_tax: -1 }] }] }),
      'belowMinimum',
      '[0].our_price[0].schedule[0].value_with_tax',
      '0.01',
    ],
    [
      'is above the maximum',
      'fulfillment_availability',
      [{ fulfillment_channel_code: 'DEFAULT', quantity: 1, lead_time_to_ship_max_days: 366 }],
      'aboveMaximum',
      '[0].lead_time_to_ship_max_days',
      '365',
    ],
    ['is too long a text', 'brand', [{ value: 'x'.repeat(101) }], 'aboveMaximum', '[0].value', '100'],
    ['contains a duplicate', 'item_name', [{ value: 'a' }, { value: 'b' }], 'aboveMaximum', '', '1'],
    ['is not one of the values', 'target_gender', [{ value: 'x' }], 'invalid', '[0].value', 'female, male, unisex'],
    ['is of another type', 'item_name', [{ value: 5 }], 'invalid', '[0].value', 'string'],
    ['is not a time', 'merchant_release_date', [{ value: 'soon' }], 'invalid', '[0].value', 'date-time'],
    ['is not a list', 'item_name', 'Sandal', 'invalid', '', 'array'],
    ['has entries that are not objects', 'item_name', [null], 'invalid', '[0]', 'object'],
    ['has an unknown attribute', 'colour', [{ value: 'red' }], 'unknown', '', undefined],
    ['has the name of an object method', 'constructor', [{ value: 'red' }], 'unknown', '', undefined],
  ])('finds a value that %s', (_, attribute, value, rule, path, limit) => {
    const json = JSON.parse(JSON.stringify(value))
    expect(shoes.check(attribute, json)).toEqual([{ rule, attribute, path, ...(limit !== undefined && { limit }) }])
  })

  test('finds a number that JSON could not store', () => {
    const value = JSON.parse('[{"value": 1e400}]')
    expect(shoes.check('recommended_browse_nodes', value)).toMatchObject([{ rule: 'invalid', path: '[0].value' }])
  })

  test('returns all violations of an entry', () => {
    expect(shoes.check('purchasable_offer', [{ audience: 'FRIENDS' }]).map(({ rule, path }) => [rule, path])).toEqual([
      ['required', '[0].currency'],
      ['required', '[0].our_price'],
      ['invalid', '[0].audience'],
    ])
  })

  test('lists the first few of many allowed values', () => {
    const [violation] = shoes.check('condition_type', [{ value: 'worn' }])
    expect(violation?.limit).toMatch(/^new_new, .*, \.\.\.$/)
  })

  test('accepts one name per marketplace and language, and one offer per audience', () => {
    const names = ['de_DE', 'en_GB'].flatMap((language_tag) =>
      ['A', 'B'].map((marketplace_id) => ({ value: 'Sandal', language_tag, marketplace_id })),
    )
    expect(shoes.check('item_name', names)).toEqual([])
    expect(shoes.check('item_name', [...names, names[0]])).toMatchObject([{ rule: 'aboveMaximum', limit: '1' }])
    const forAll = offer({ audience: 'ALL' })
    expect(shoes.check('purchasable_offer', [...forAll, ...offer({ audience: 'B2B' })])).toEqual([])
    expect(shoes.check('purchasable_offer', [...forAll, ...forAll])).toMatchObject([{ rule: 'aboveMaximum' }])
  })

  test('accepts an offer with all fields', () => {
    const price = [{ schedule: [{ value_with_tax: 40 }] }]
    const whole = offer({
      audience: 'B2B',
      discounted_price: [
        { schedule: [{ value_with_tax: 45, start_at: '2026-06-01T00:00:00Z', end_at: '2026-07-01' }] },
      ],
      minimum_seller_allowed_price: price,
      maximum_seller_allowed_price: price,
      quantity_discount_plan: [{ schedule: [{ discount_type: 'fixed', levels: [{ lower_bound: 2, value: 50 }] }] }],
      start_at: { value: '2026-06-01T00:00:00Z' },
      end_at: { value: null },
    })
    expect(shoes.check('purchasable_offer', whole)).toEqual([])
  })

  test('returns few violations for a long list of invalid entries', () => {
    const long = (length: number, entry: unknown) => Array.from({ length }, () => entry)
    expect(shoes.check('item_name', long(100_000, {}))).toMatchObject([{ rule: 'aboveMaximum', path: '' }])
    const wide = [{ currency: 'EUR', our_price: long(100_000, {}) }]
    expect(shoes.check('purchasable_offer', wide)).toMatchObject([{ rule: 'aboveMaximum', path: '[0].our_price' }])
    expect(shoes.check('bullet_point', long(400, {})).length).toBe(MAX_VIOLATIONS)
  })

  test('never throws for unusual or deeply nested values', () => {
    const deep = JSON.parse(`${'['.repeat(90)}${']'.repeat(90)}`)
    const odd = [
      undefined,
      null,
      0,
      '',
      true,
      {},
      [],
      [[]],
      [null],
      [[{}]],
      { length: 1, 0: {} },
      deep,
      [{ value: deep }],
    ]
    for (const attribute of shoes.attributeNames) {
      for (const value of odd)
        expect(shoes.check(attribute, shoes.normalize(attribute, value)).length).toBeGreaterThan(-1)
    }
  })
})

describe('checkAll', () => {
  const missing = (attributes: Record<string, unknown>, requirements: Requirements) =>
    shoes
      .checkAll(attributes, requirements)
      .filter(({ rule }) => rule === 'required')
      .map(({ attribute }) => attribute)
  const product = ['item_name', 'brand', 'bullet_point', 'product_description', 'country_of_origin']
  const terms = ['condition_type', 'purchasable_offer', 'fulfillment_availability']

  test('requires the attributes of the requirements', () => {
    expect(missing({}, 'LISTING_PRODUCT_ONLY')).toEqual(product)
    expect(missing({}, 'LISTING_OFFER_ONLY')).toEqual(terms)
    expect(missing({}, 'LISTING')).toEqual([...product, ...terms])
  })

  test('requires no terms of sale of a variation parent, and the parent of a child', () => {
    const level = (value: string) => ({ parentage_level: [{ value }] })
    expect(missing(level('parent'), 'LISTING')).toEqual([...product, 'variation_theme'])
    expect(missing(level('parent'), 'LISTING_OFFER_ONLY')).toEqual([])
    expect(missing(level('child'), 'LISTING')).toEqual([
      ...product,
      'child_parent_sku_relationship',
      'variation_theme',
      ...terms,
    ])
  })

  test('returns 50 violations at most', () => {
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`unknown_${index}`, []]))
    expect(shoes.checkAll(many, 'LISTING')).toHaveLength(MAX_VIOLATIONS)
  })
})

describe('a product type', () => {
  test('has names and titles in the requested language or in English', () => {
    expect(['de_DE', 'de_AT', 'en_GB', 'fr_FR', ''].map((locale) => shoes.displayName(locale))).toEqual([
      'Schuhe',
      'Schuhe',
      'Shoes',
      'Shoes',
      'Shoes',
    ])
    expect(shoes.title('brand', 'de_DE')).toBe('Marke')
    expect(shoes.title('brand', 'ja_JP')).toBe('Brand')
    expect(shoes.title('unheard_of', 'de_DE')).toBe('unheard_of')
  })

  test('distinguishes terms of sale from product attributes', () => {
    const terms = ['purchasable_offer', 'fulfillment_availability', 'condition_type', 'condition_note', 'list_price']
    expect(
      [...terms, 'skip_offer', 'merchant_shipping_group', 'product_tax_code'].every((name) => shoes.isOffer(name)),
    ).toBe(true)
    expect(['item_name', 'main_product_image_locator', 'unheard_of'].some((name) => shoes.isOffer(name))).toBe(false)
  })

  test('has selectors that distinguish entries', () => {
    expect(shoes.selectors('item_name')).toEqual(['marketplace_id', 'language_tag'])
    expect(shoes.selectors('purchasable_offer')).toEqual(['marketplace_id', 'currency', 'audience'])
    expect(shoes.selectors('fulfillment_availability')).toEqual(['marketplace_id', 'fulfillment_channel_code'])
    expect(shoes.selectors('unheard_of')).toEqual([])
  })
})
