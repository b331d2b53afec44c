import { MAX_PRICE, MAX_QUANTITY } from '../offers/limits.ts'
import { common } from './built-in/common.ts'
import { dateTime, integer, number, object } from './built-in/fields.ts'
import type { FieldSchema } from './definition.ts'

const MAX_KEY_LENGTH = 255

const listOf = (items: FieldSchema): FieldSchema => ({ type: 'array', items })
const key: FieldSchema = { type: 'string', maxLength: MAX_KEY_LENGTH }
const amount = number(MAX_PRICE)
const price = listOf(object({}, { schedule: listOf(object({}, { value_with_tax: amount })) }))
const discount = object({ start_at: dateTime(), end_at: dateTime() }, { value_with_tax: amount })

/**
 * What Souk itself reads of attributes, in the form in which it can store it. Operators define these attributes too, and
 * their schemas may allow more: 1.5 pieces, a price that is not finite, or a SKU that is too long for an index.
 */
const interpreted: ReadonlyMap<string, FieldSchema> = new Map([
  ['condition_type', listOf(object({}, { value: key }))],
  [
    'purchasable_offer',
    listOf(
      object(
        {},
        {
          currency: key,
          our_price: price,
          discounted_price: listOf(object({}, { schedule: listOf(discount) })),
          minimum_seller_allowed_price: price,
          maximum_seller_allowed_price: price,
        },
      ),
    ),
  ],
  [
    'fulfillment_availability',
    listOf(object({}, { fulfillment_channel_code: key, quantity: integer(0, MAX_QUANTITY) })),
  ],
  ['child_parent_sku_relationship', listOf(object({}, { parent_sku: key }))],
  ['package_contains_sku', listOf(object({}, { sku: key }))],
])

/** Returns the schema of what Souk reads of an attribute, unless its own schema is the built-in one, which is stricter. */
export const interpretedSchemaOf = (attribute: string, schema: FieldSchema): FieldSchema | undefined =>
  Object.hasOwn(common, attribute) && common[attribute]?.schema === schema ? undefined : interpreted.get(attribute)
