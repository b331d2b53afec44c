export type Transport = 'sqs' | 'eventBridge'

export const EVENT_FILTER_TYPES = ['ANY_OFFER_CHANGED', 'ORDER_CHANGE', 'SHIPMENT_TRACKING_MILESTONE_CHANGED'] as const
export type EventFilterType = (typeof EVENT_FILTER_TYPES)[number]

export interface NotificationType {
  name: string
  /** The kind of destination that receives the type. */
  transport: Transport
  /** Oldest first. */
  payloadVersions: readonly [string, ...string[]]
  notificationVersion: string
  /** The casing of the envelope's keys. */
  casing: 'pascal' | 'camel'
  /** Present if subscriptions can have an event filter. */
  eventFilter?: EventFilterType
  /** Whether subscriptions can have a filter expression. */
  supportsExpressions: boolean
  /** It is about the application itself, so sellers' subscriptions cannot have it. The operator sets its queue. */
  isAboutApplication?: true
}

interface Traits {
  casing?: NotificationType['casing']
  payloadVersions?: NotificationType['payloadVersions']
  notificationVersion?: string
  eventFilter?: EventFilterType
  supportsExpressions?: boolean
  isAboutApplication?: true
}

const type = (name: string, transport: Transport, traits: Traits = {}): NotificationType => ({
  name,
  transport,
  payloadVersions: ['1.0'],
  notificationVersion: '1.0',
  casing: 'pascal',
  supportsExpressions: transport === 'sqs',
  ...traits,
})

/** Types whose envelope has the version of the payload, as newer APIs do. */
const versionedType = (name: string, version: string, traits: Traits = {}) =>
  type(name, 'sqs', { casing: 'camel', payloadVersions: [version], notificationVersion: version, ...traits })

/** Types about the credentials of an application. */
const credentialType = (name: string) =>
  type(name, 'sqs', { casing: 'camel', payloadVersions: ['2023-11-30'], isAboutApplication: true })

/** All notification types. Types that Souk never publishes can still be tested. */
const ALL: readonly NotificationType[] = [
  type('ACCOUNT_STATUS_CHANGED', 'sqs', { casing: 'camel', payloadVersions: ['2021-01-01'] }),
  credentialType('APPLICATION_OAUTH_CLIENT_NEW_SECRET'),
  credentialType('APPLICATION_OAUTH_CLIENT_SECRET_EXPIRY'),
  type('ANY_OFFER_CHANGED', 'sqs', { eventFilter: 'ANY_OFFER_CHANGED' }),
  type('B2B_ANY_OFFER_CHANGED', 'sqs'),
  type('BRANDED_ITEM_CONTENT_CHANGE', 'eventBridge'),
  versionedType('DATA_KIOSK_QUERY_PROCESSING_FINISHED', '2023-11-15', { supportsExpressions: false }),
  versionedType('DETAIL_PAGE_TRAFFIC_EVENT', '2020-09-04'),
  type('EXTERNAL_FULFILLMENT_SHIPMENT_STATUS_CHANGE', 'sqs', { casing: 'camel' }),
  type('FBA_INVENTORY_AVAILABILITY_CHANGES', 'sqs'),
  type('FBA_OUTBOUND_SHIPMENT_STATUS', 'sqs'),
  type('FEE_PROMOTION', 'sqs'),
  versionedType('FEED_PROCESSING_FINISHED', '2020-09-04'),
  type('FULFILLMENT_ORDER_STATUS', 'sqs'),
  versionedType('ITEM_INVENTORY_EVENT_CHANGE', '2020-09-04'),
  type('ITEM_PRODUCT_TYPE_CHANGE', 'eventBridge'),
  versionedType('ITEM_SALES_EVENT_CHANGE', '2020-09-04'),
  type('LISTINGS_ITEM_ISSUES_CHANGE', 'eventBridge', { payloadVersions: ['1.0', '2023-12-13'] }),
  type('LISTINGS_ITEM_MFN_QUANTITY_CHANGE', 'eventBridge'),
  type('LISTINGS_ITEM_STATUS_CHANGE', 'eventBridge'),
  type('ORDER_CHANGE', 'sqs', { eventFilter: 'ORDER_CHANGE' }),
  type('PRICING_HEALTH', 'sqs', { casing: 'camel' }),
  type('PRODUCT_TYPE_DEFINITIONS_CHANGE', 'eventBridge'),
  versionedType('REPORT_PROCESSING_FINISHED', '2020-09-04'),
  type('SHIPMENT_TRACKING_MILESTONE_CHANGED', 'sqs', {
    casing: 'camel',
    payloadVersions: ['2026-01-30'],
    eventFilter: 'SHIPMENT_TRACKING_MILESTONE_CHANGED',
    supportsExpressions: false,
  }),
  type('TRANSACTION_UPDATE', 'sqs'),
]

export const notificationTypes: ReadonlyMap<string, NotificationType> = new Map(ALL.map((one) => [one.name, one]))

/** The specification spells the first name differently from all other sources. */
export const publicTypeName = (name: string) => (name === 'ANY_OFFER_CHANGE' ? 'ANY_OFFER_CHANGED' : name)
