import type { Dependency, FaultKind } from './faults.ts'
import type { CrashPlan, StallPlan } from './instance.ts'

/** A change of one listing, by a request or by a message of a feed. */
export type ListingChange =
  | { change: 'put'; price: number; quantity: number }
  | { change: 'setQuantity'; quantity: number }
  | { change: 'setPrice'; price: number }
  | { change: 'delete' }

export const NOTIFICATION_TYPES = {
  ORDER_CHANGE: { transport: 'sqs', payloadVersion: '1.0' },
  FEED_PROCESSING_FINISHED: { transport: 'sqs', payloadVersion: '2020-09-04' },
  REPORT_PROCESSING_FINISHED: { transport: 'sqs', payloadVersion: '2020-09-04' },
  LISTINGS_ITEM_MFN_QUANTITY_CHANGE: { transport: 'eventBridge', payloadVersion: '1.0' },
  LISTINGS_ITEM_STATUS_CHANGE: { transport: 'eventBridge', payloadVersion: '1.0' },
} as const
export type SimulatedType = keyof typeof NOTIFICATION_TYPES

export const REPORT_TYPES = [
  'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL',
  'GET_MERCHANT_LISTINGS_ALL_DATA',
] as const

/** What a client does. `seller` is the position of the seller who does it, or to whom it happens. */
export type ClientAction =
  | { do: 'changeListing'; seller: number; sku: number; change: ListingChange }
  | { do: 'readListing'; seller: number; sku: number }
  | { do: 'order'; seller: number; sku: number; quantity: number }
  /** `order`: the id of the step that placed it. */
  | { do: 'cancel' | 'deliver' | 'return' | 'readOrder'; seller: number; order: number }
  /** `packages`: confirmed at the same time. */
  | { do: 'ship'; seller: number; order: number; quantity: number; packages: number }
  | { do: 'solicit'; order: number }
  | { do: 'feed'; seller: number; messages: { sku: number; change: ListingChange }[] }
  | { do: 'shipByFeed'; seller: number; orders: number[] }
  /** `feed`: the id of the step that created it. */
  | { do: 'readFeed' | 'cancelFeed'; seller: number; feed: number }
  | { do: 'report'; seller: number; type: (typeof REPORT_TYPES)[number] }
  | { do: 'readReport' | 'cancelReport'; seller: number; report: number }
  | { do: 'subscribe' | 'unsubscribe'; seller: number; type: SimulatedType }
  | { do: 'compete'; asin: number; price: number }
  | { do: 'readPrices'; seller: number; asin: number }
  | { do: 'attack'; seller: number; victim: number; attack: Attack; target: number }

export const ATTACKS = [
  'listingOfAnother',
  'orderOfAnother',
  'feedOfAnother',
  'reportOfAnother',
  'solicitOrderOfAnother',
  'shipOrderOfAnother',
  'tamperedToken',
  'brokenJson',
  'wrongTypes',
] as const
export type Attack = (typeof ATTACKS)[number]

/** What happens to the system. */
export type WorldAction =
  | { do: 'advance'; milliseconds: number }
  /** Counted in calls of dependencies, so an instance can crash between any two of them. */
  | ({ do: 'crash'; instance: number } & CrashPlan)
  | ({ do: 'stall'; instance: number } & StallPlan)
  | { do: 'fault'; dependency: Dependency; kind: FaultKind; calls: number }

/** Plain data, so that a failing list of them can be shortened. */
export type Step = (ClientAction | WorldAction) & {
  /** Stays the same when other steps are left out. */
  id: number
  /** Turns between the start of the step before and this one. Work of both is mixed if it is small. */
  pause: number
}

export const SKUS_PER_SELLER = 3
/** Contains the seller, so that data of another seller is recognized anywhere. */
export const skuOf = (seller: number, sku: number) => `SIM${seller}-SKU-${sku}`
export const isSkuOfAnother = (seller: number) => new RegExp(`SIM(?!${seller}-)\\d-SKU-\\d`, 'g')
export const orderIdOf = (step: number) => `900-1000000-${String(step).padStart(7, '0')}`
export const titleOf = (step: number) => `Boot of step ${step}`
