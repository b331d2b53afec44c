export interface NotificationType {
  name: string
  transport: 'sqs' | 'eventBridge'
  /** Oldest first. */
  payloadVersions: readonly string[]
  /** When Souk sends it. Absent: only as a test. */
  sentWhen?: string
  /** The fields of `eventFilter` that subscriptions can have. */
  eventFilter?: readonly ('aggregation' | 'marketplaces' | 'orderChangeTypes' | 'tracking')[]
  /** Whether subscriptions can have a filter expression. */
  supportsExpressions: boolean
}

const queue = (name: string, payloadVersion: string, rest: Partial<NotificationType> = {}): NotificationType => ({
  name,
  transport: 'sqs',
  payloadVersions: [payloadVersion],
  supportsExpressions: true,
  ...rest,
})

const eventBus = (name: string, sentWhen?: string, payloadVersions = ['1.0']): NotificationType => ({
  name,
  transport: 'eventBridge',
  payloadVersions,
  supportsExpressions: false,
  ...(sentWhen !== undefined && { sentWhen }),
})

/** The types to which a seller can be subscribed. docs/notifications.md has them too. */
export const NOTIFICATION_TYPES: readonly NotificationType[] = [
  queue('ACCOUNT_STATUS_CHANGED', '2021-01-01', { sentWhen: 'the operator changes the status of the account' }),
  queue('ANY_OFFER_CHANGED', '1.0', {
    sentWhen: 'an offer changes for an item that the seller offers',
    eventFilter: ['aggregation', 'marketplaces'],
  }),
  queue('B2B_ANY_OFFER_CHANGED', '1.0'),
  eventBus('BRANDED_ITEM_CONTENT_CHANGE'),
  queue('DATA_KIOSK_QUERY_PROCESSING_FINISHED', '2023-11-15', { supportsExpressions: false }),
  queue('DETAIL_PAGE_TRAFFIC_EVENT', '2020-09-04'),
  queue('EXTERNAL_FULFILLMENT_SHIPMENT_STATUS_CHANGE', '1.0'),
  queue('FBA_INVENTORY_AVAILABILITY_CHANGES', '1.0'),
  queue('FBA_OUTBOUND_SHIPMENT_STATUS', '1.0'),
  queue('FEE_PROMOTION', '1.0'),
  queue('FEED_PROCESSING_FINISHED', '2020-09-04', { sentWhen: 'a feed is done, cancelled or fatal' }),
  queue('FULFILLMENT_ORDER_STATUS', '1.0'),
  queue('ITEM_INVENTORY_EVENT_CHANGE', '2020-09-04'),
  eventBus('ITEM_PRODUCT_TYPE_CHANGE'),
  queue('ITEM_SALES_EVENT_CHANGE', '2020-09-04'),
  eventBus('LISTINGS_ITEM_ISSUES_CHANGE', 'issues of a listing appear, change or end', ['1.0', '2023-12-13']),
  eventBus('LISTINGS_ITEM_MFN_QUANTITY_CHANGE', 'the stock of a listing changes'),
  eventBus('LISTINGS_ITEM_STATUS_CHANGE', 'a listing can or can no longer be bought or found, or is deleted'),
  queue('ORDER_CHANGE', '1.0', {
    sentWhen: 'an order is placed or changes',
    eventFilter: ['marketplaces', 'orderChangeTypes'],
  }),
  queue('PRICING_HEALTH', '1.0', { sentWhen: 'the price of an offer makes it ineligible to be featured' }),
  eventBus('PRODUCT_TYPE_DEFINITIONS_CHANGE', 'the operator adds or changes a product type'),
  queue('REPORT_PROCESSING_FINISHED', '2020-09-04', { sentWhen: 'a report is done, cancelled or fatal' }),
  queue('SHIPMENT_TRACKING_MILESTONE_CHANGED', '2026-01-30', {
    eventFilter: ['tracking'],
    supportsExpressions: false,
  }),
  queue('TRANSACTION_UPDATE', '1.0'),
]

const byName = new Map(NOTIFICATION_TYPES.map((type) => [type.name, type]))

export const findNotificationType = (name: string): NotificationType | undefined => byName.get(name)

export const describeNotificationType = ({ sentWhen }: NotificationType): string =>
  sentWhen === undefined ? 'Souk sends it as a test only.' : `Sent when ${sentWhen}.`
