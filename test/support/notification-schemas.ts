import { Ajv } from 'ajv'
import { expect } from 'vitest'
import { isTimestamp } from '../../src/platform/timestamps.ts'
import { readModel } from './public-models.ts'

/** The public schema of each type. Missing types have none, or one with a broken reference. */
const FILES: Record<string, string> = {
  ANY_OFFER_CHANGED: 'AnyOfferChangedNotification',
  B2B_ANY_OFFER_CHANGED: 'B2bAnyOfferChangedNotification',
  BRANDED_ITEM_CONTENT_CHANGE: 'BrandedItemContentChangeNotification',
  DATA_KIOSK_QUERY_PROCESSING_FINISHED: 'DataKioskQueryProcessingFinishedNotification',
  DETAIL_PAGE_TRAFFIC_EVENT: 'DetailPageTrafficEventNotification',
  FBA_INVENTORY_AVAILABILITY_CHANGES: 'FBAInventoryAvailabilityChangeNotification',
  FBA_OUTBOUND_SHIPMENT_STATUS: 'FBAOutboundShipmentStatusNotification',
  FEE_PROMOTION: 'FeePromotionNotification',
  FEED_PROCESSING_FINISHED: 'FeedProcessingFinishedNotification',
  FULFILLMENT_ORDER_STATUS: 'FulfillmentOrderStatusNotification',
  ITEM_INVENTORY_EVENT_CHANGE: 'ItemInventoryEventChangeNotification',
  ITEM_PRODUCT_TYPE_CHANGE: 'ItemProductTypeChangeNotification',
  ITEM_SALES_EVENT_CHANGE: 'ItemSalesEventChangeNotification',
  LISTINGS_ITEM_ISSUES_CHANGE: 'ListingsItemIssuesChangeNotification',
  'LISTINGS_ITEM_ISSUES_CHANGE 2023-12-13': 'ListingsItemIssuesChangeNotification_2023-12-13',
  LISTINGS_ITEM_MFN_QUANTITY_CHANGE: 'ListingsItemMfnQuantityChange',
  LISTINGS_ITEM_STATUS_CHANGE: 'ListingsItemStatusChangeNotification',
  ORDER_CHANGE: 'OrderChangeNotification',
  PRICING_HEALTH: 'PricingHealthNotification',
  PRODUCT_TYPE_DEFINITIONS_CHANGE: 'ProductTypeDefinitionsChangeNotification',
  REPORT_PROCESSING_FINISHED: 'ReportProcessingFinishedNotification',
  TRANSACTION_UPDATE: 'TransactionUpdateNotification',
}
const WITHOUT = [
  'ACCOUNT_STATUS_CHANGED',
  'APPLICATION_OAUTH_CLIENT_NEW_SECRET',
  'APPLICATION_OAUTH_CLIENT_SECRET_EXPIRY',
  'EXTERNAL_FULFILLMENT_SHIPMENT_STATUS_CHANGE',
  'SHIPMENT_TRACKING_MILESTONE_CHANGED',
]

/** Checks a notification, with its envelope, against the public schema of its type. */
export function notificationConforms(type: string, payloadVersion: string, notification: unknown): void {
  if (WITHOUT.includes(type)) return
  const schema = withoutIds(readModel(`notifications/${FILES[`${type} ${payloadVersion}`] ?? FILES[type]}.json`))
  // Two of the files have errors: one misspells a reference, the other allows a type name that its own example lacks.
  if (type === 'B2B_ANY_OFFER_CHANGED') schema.$ref = '#/definitions/NotificationResponse'
  if (type === 'LISTINGS_ITEM_STATUS_CHANGE') schema.properties.NotificationType.enum = [type]
  const ajv = new Ajv({ strict: false, formats: { 'date-time': isTimestamp, int32: true } })
  expect(ajv.validate(schema, notification), ajv.errorsText()).toBe(true)
}

/** Some of the files use the same id twice. */
const withoutIds = (schema: object) =>
  JSON.parse(JSON.stringify(schema, (key, value) => (key === '$id' ? undefined : value)))
