import { CONDITION_TYPES } from '../../offers/conditions.ts'
import { MAX_PRICE, MAX_QUANTITY } from '../../offers/limits.ts'
import {
  attribute,
  boolean,
  choice,
  date,
  dateTime,
  integer,
  localizedText,
  nonEmptyList,
  number,
  object,
  simple,
  text,
} from './fields.ts'

const amount = { ...number(MAX_PRICE), minimum: 0.01 }
const currency = { type: 'string' as const, minLength: 3, maxLength: 3 }
const schedule = (...fields: Parameters<typeof object>) =>
  nonEmptyList(object({ schedule: nonEmptyList(object(...fields)) }), 1)
const price = schedule({ value_with_tax: amount })
const bound = object({}, { value: { type: ['string', 'null'], format: 'date-time' } })

export const offer = {
  condition_type: simple('offer', ['Item condition', 'Artikelzustand'], choice(...CONDITION_TYPES)),
  condition_note: localizedText('offer', ['Note on the condition', 'Anmerkung zum Zustand'], { maxLength: 2000 }),
  purchasable_offer: attribute(
    'offer',
    ['Offer', 'Angebot'],
    object(
      { currency, our_price: price },
      {
        audience: choice('ALL', 'B2B'),
        discounted_price: schedule({ value_with_tax: amount, start_at: dateTime(), end_at: dateTime() }),
        minimum_seller_allowed_price: price,
        maximum_seller_allowed_price: price,
        quantity_discount_plan: schedule({
          discount_type: choice('fixed', 'percent'),
          levels: nonEmptyList(object({ lower_bound: integer(2, MAX_QUANTITY), value: amount }), 5),
        }),
        start_at: bound,
        end_at: bound,
      },
    ),
    { selectors: ['currency', 'audience'] },
  ),
  fulfillment_availability: attribute(
    'offer',
    ['Availability', 'Verfügbarkeit'],
    object(
      { fulfillment_channel_code: choice('DEFAULT', 'AMAZON_NA', 'AMAZON_EU', 'AMAZON_JP') },
      {
        quantity: integer(0, MAX_QUANTITY),
        lead_time_to_ship_max_days: integer(0, 365),
        restock_date: date(),
        is_inventory_available: boolean(),
      },
    ),
    { selectors: ['fulfillment_channel_code'] },
  ),
  list_price: attribute(
    'offer',
    ['List price', 'Listenpreis'],
    object({ currency }, { value: amount, value_with_tax: amount }),
    { selectors: ['currency'] },
  ),
  merchant_shipping_group: simple('offer', ['Shipping template', 'Versandvorlage'], text(200)),
  product_tax_code: simple('offer', ['Tax code', 'Steuercode'], text(100)),
  merchant_release_date: simple('offer', ['Date of release', 'Erscheinungsdatum'], dateTime()),
  max_order_quantity: simple('offer', ['Most in one order', 'Höchste Bestellmenge'], integer(1, MAX_QUANTITY)),
  skip_offer: simple('offer', ['List without an offer', 'Ohne Angebot listen'], boolean()),
}
