import { type TSchema, Type } from 'typebox'
import { parseTimestamp } from '../platform/timestamps.ts'

/** The operator's own systems are held to the letter: a key that nobody knows is a mistake worth hearing about. */
export const strict = { additionalProperties: false } as const

export const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

export const Name = Type.String({ minLength: 1, maxLength: 500 })
export const SellerId = Type.String({ pattern: '^[A-Z0-9]{1,20}$', description: 'Identifier of a seller' })
export const MarketplaceId = Type.String({ pattern: '^[A-Z0-9]{1,20}$', description: 'Identifier of a marketplace' })
export const ApplicationId = Type.String({ pattern: '^[\\w.-]{1,100}$', description: 'Identifier of an application' })
export const OrderId = Type.String({
  pattern: '^\\d{3}-\\d{7}-\\d{7}$',
  description: 'Identifier of an order: 3, 7 and 7 digits',
})
export const Asin = Type.String({ pattern: '^[A-Z0-9]{10}$', description: 'Identifier of a product of the catalogue' })
export const Sku = Type.String({ minLength: 1, maxLength: 255, description: "A seller's own name for a product" })
export const CountryCode = Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2' })
export const CurrencyCode = Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217' })
export const DateTime = Type.String({ format: 'date-time' })
export const MinorUnits = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: "Money in the currency's minor unit: 5990 is 59.90 EUR",
})

/** The same moment as every stored time is written: UTC, milliseconds, fixed width. */
export const toStoredTime = (text: string): string => parseTimestamp(text).toISOString()

/** A list in a query, in any of the spellings that clients use: `a,b`, `a%2Cb` or the key repeated. */
export const QueryList = <Item extends TSchema>(item: Item, options: { minItems?: number; maxItems?: number } = {}) =>
  Type.Array(item, { ...options, style: 'form', explode: false })
