import { type TSchema, Type } from 'typebox'
import { parseTimestamp } from '../platform/timestamps.ts'
import { MAX_SKU_LENGTH } from './sku.ts'

/** Operator API bodies are validated strictly: an unknown key is an error. */
export const strict = { additionalProperties: false } as const

export const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

export const Name = Type.String({ minLength: 1, maxLength: 500 })
export const SellerId = Type.String({
  pattern: '^[A-Z0-9]{1,20}$',
  examples: ['A1SOUKSELLER01'],
  description: 'Identifier of a seller',
})
// Explanations propose it where a request has none. Most sellers sell in the United States, the demo seller too.
const MARKETPLACES = ['ATVPDKIKX0DER']

export const MarketplaceId = Type.String({
  pattern: '^[A-Z0-9]{1,20}$',
  examples: MARKETPLACES,
  description: 'Identifier of a marketplace',
})
/** Any text: operations say themselves what is wrong with it. */
export const AnyMarketplaceId = Type.String({ examples: MARKETPLACES })
export const ApplicationId = Type.String({ pattern: '^[\\w.-]{1,100}$', description: 'Identifier of an application' })
export const OrderId = Type.String({
  pattern: '^\\d{3}-\\d{7}-\\d{7}$',
  examples: ['902-1000001-1000001'],
  description: 'Identifier of an order: 3, 7 and 7 digits',
})
export const Asin = Type.String({
  pattern: '^[A-Z0-9]{10}$',
  examples: ['B0SOUK0001'],
  description: 'Catalog item identifier',
})
export const Sku = Type.String({ minLength: 1, maxLength: MAX_SKU_LENGTH, description: 'Seller SKU' })
export const CountryCode = Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2' })
export const CurrencyCode = Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217' })
export const QueueArn = Type.String({
  maxLength: 1000,
  pattern: '^arn:aws:sqs:[a-z0-9-]+:\\d{12}:[A-Za-z0-9_-]{1,80}$',
  examples: ['arn:aws:sqs:eu-west-1:123456789012:example'],
  description: 'ARN of a standard queue',
})
export const DateTime = Type.String({ format: 'date-time' })
export const MinorUnits = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: "Money in the currency's minor unit: 5990 is 59.90 EUR",
})

const STORED_TIME = /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):\d\d:\d\d\.\d{3}Z$/

/** Formats a valid time as stored: UTC with milliseconds, fixed width. */
export const toStoredTime = (text: string): string =>
  STORED_TIME.test(text) ? text : parseTimestamp(text).toISOString()

/** A list in a query string, in any form that clients use: `a,b`, `a%2Cb` or a repeated key. */
export const QueryList = <Item extends TSchema>(item: Item, options: { minItems?: number; maxItems?: number } = {}) =>
  Type.Array(item, { ...options, style: 'form', explode: false })
