import { Ajv2019 } from 'ajv/dist/2019.js'
import { describe, expect, test } from 'vitest'
import { emptyReader } from '../../../test/support/empty-reader.ts'
import { shoeAttributes } from '../../../test/support/shoes.ts'
import { PARENTAGE_LEVELS, REQUIREMENTS } from './definition.ts'
import { type DocumentOptions, propertyGroups, schemaDocument } from './document.ts'
import { META_SCHEMA_ID, metaSchema } from './meta-schema.ts'
import type { ProductType } from './product-type.ts'
import { ProductTypes } from './product-types.ts'

const shoes = (await new ProductTypes().find(emptyReader, 'SHOES')) as ProductType
const listing: DocumentOptions = { requirements: 'LISTING', enforced: true, locale: 'en_US' }
const attributes = shoes.normalizeAttributes(shoeAttributes())

/** A seller's validator, which knows the meta-schema and nothing else of ours. */
function createValidator(): Ajv2019 {
  const ajv = new Ajv2019({ allErrors: true, strictTypes: false, formats: { date: true, 'date-time': true } })
  for (const keyword of ['selectors', 'maxUniqueItems']) ajv.addKeyword(keyword)
  return ajv.addMetaSchema(metaSchema)
}

function without(...names: string[]) {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => !names.includes(name)))
}

describe('the meta-schema', () => {
  test('accepts the schemas of all requirements and levels', () => {
    for (const requirements of REQUIREMENTS) {
      for (const parentageLevel of [undefined, ...PARENTAGE_LEVELS]) {
        const document = schemaDocument(shoes, { ...listing, requirements, ...(parentageLevel && { parentageLevel }) })
        expect(document).toMatchObject({ $schema: META_SCHEMA_ID })
        expect(createValidator().validateSchema(document)).toBe(true)
      }
    }
  })

  test.each([
    { selectors: 'marketplace_id' },
    { maxUniqueItems: 0 },
    { items: { properties: { value: { maxUniqueItems: 'many' } } } },
    { minItems: -1 },
  ])('refuses %j', (schema) => {
    expect(createValidator().validateSchema({ $schema: META_SCHEMA_ID, ...schema })).toBe(false)
  })
})

describe('the schema and checkAll agree', () => {
  const cases: Record<string, Record<string, unknown>> = {
    'the whole shoe': attributes,
    'no name': without('item_name'),
    'no offer': without('purchasable_offer'),
    'a price that is too low': { ...attributes, list_price: [{ currency: 'EUR', value: 0 }] },
    'a brand that is a number': { ...attributes, brand: [{ value: 5 }] },
    'an attribute of no shoe': { ...attributes, sleeve: [{}] },
    'a parent without an offer': {
      ...without('purchasable_offer', 'condition_type', 'fulfillment_availability'),
      parentage_level: [{ value: 'parent' }],
      variation_theme: [{ name: 'SIZE' }],
    },
    'a parent without a theme': { ...attributes, parentage_level: [{ value: 'parent' }] },
    'a child without a parent': {
      ...attributes,
      parentage_level: [{ value: 'child' }],
      variation_theme: [{ name: 'SIZE' }],
    },
    nothing: {},
  }
  const validators = REQUIREMENTS.map((requirements) => {
    const isValid = createValidator().compile(schemaDocument(shoes, { ...listing, requirements }))
    return { requirements, isValid }
  })

  test.each(Object.keys(cases))('about %s', (name) => {
    for (const { requirements, isValid } of validators) {
      const given = cases[name] as Record<string, unknown>
      // The schema of one half does not describe the other.
      const described = Object.entries(given).filter(([attribute]) => {
        if (requirements === 'LISTING' || !shoes.has(attribute)) return true
        return shoes.isOffer(attribute) === (requirements === 'LISTING_OFFER_ONLY') || attribute === 'parentage_level'
      })
      const half = Object.fromEntries(described)
      expect(isValid(half), requirements).toBe(shoes.checkAll(half, requirements).length === 0)
    }
  })
})

describe('a schema', () => {
  const namesIn = (options: Partial<DocumentOptions>) =>
    Object.keys((schemaDocument(shoes, { ...listing, ...options }) as { properties: object }).properties)

  test('contains the attributes of the requirements', () => {
    expect(namesIn({})).toEqual(shoes.attributeNames)
    expect(namesIn({ requirements: 'LISTING_PRODUCT_ONLY' }).some((name) => shoes.isOffer(name))).toBe(false)
    const others = namesIn({ requirements: 'LISTING_OFFER_ONLY' }).filter((name) => !shoes.isOffer(name))
    expect(others).toEqual(['externally_assigned_product_identifier', 'merchant_suggested_asin'])
  })

  test('requires no attributes if requirements are not enforced', () => {
    const isValid = createValidator().compile(schemaDocument(shoes, { ...listing, enforced: false }))
    expect(isValid({})).toBe(true)
    expect(isValid({ brand: [{ value: 'Basar' }] })).toBe(true)
    expect(isValid({ brand: [{}] })).toBe(false)
  })

  test('for one level of parentage has no conditions', () => {
    for (const parentageLevel of PARENTAGE_LEVELS) {
      expect(schemaDocument(shoes, { ...listing, parentageLevel })).not.toHaveProperty('if')
    }
    expect(namesIn({ parentageLevel: 'NONE' })).not.toContain('parentage_level')
    expect(namesIn({ parentageLevel: 'CHILD' })).toContain('parentage_level')
  })

  test('has titles in the requested language', () => {
    const german = schemaDocument(shoes, { ...listing, locale: 'de_DE' })
    expect(german).toMatchObject({ title: 'Schuhe', properties: { brand: { title: 'Marke' } } })
  })
})

test('every attribute of a schema is in exactly one group, and groups have no other attributes', () => {
  for (const requirements of REQUIREMENTS) {
    const options = { ...listing, requirements }
    const described = Object.keys((schemaDocument(shoes, options) as { properties: object }).properties)
    const grouped = Object.values(propertyGroups(shoes, options)).flatMap(({ propertyNames }) => propertyNames)
    expect(grouped.toSorted()).toEqual(described.toSorted())
  }
})
