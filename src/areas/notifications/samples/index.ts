import { downgradePayload } from '../payload-versions.ts'
import { type Sample, sample } from './common.ts'
import { fulfillmentSamples } from './fulfillment.ts'
import { offerSamples } from './offers.ts'

const { sellerId, accountId, marketplaceId, asin, sku } = sample
const item = { SellerId: sellerId, MarketplaceId: marketplaceId, Asin: asin, Sku: sku }
const hour = (now: string) => ({ accountId, marketplaceId, startTime: now, endTime: now, asin })

const samples: Record<string, Sample> = {
  ...offerSamples,
  ...fulfillmentSamples,
  ACCOUNT_STATUS_CHANGED: () => ({
    accountStatusChangeNotification: { previousAccountStatus: 'NORMAL', currentAccountStatus: 'AT_RISK' },
  }),
  APPLICATION_OAUTH_CLIENT_NEW_SECRET: (now) => ({
    applicationOAuthClientNewSecret: {
      clientId: 'amzn1.application-oa2-client.sample',
      newClientSecret: 'amzn1.oa2-cs.v1.sample',
      newClientSecretExpiryTime: now,
      oldClientSecretExpiryTime: now,
    },
  }),
  APPLICATION_OAUTH_CLIENT_SECRET_EXPIRY: (now) => ({
    applicationOAuthClientSecretExpiry: {
      clientId: 'amzn1.application-oa2-client.sample',
      clientSecretExpiryTime: now,
      clientSecretExpiryReason: 'PERIODIC_ROTATION',
    },
  }),
  BRANDED_ITEM_CONTENT_CHANGE: () => ({
    MarketplaceId: marketplaceId,
    BrandName: 'Oasis',
    Asin: asin,
    AttributesChanged: ['item_name', 'bullet_point'],
  }),
  DATA_KIOSK_QUERY_PROCESSING_FINISHED: () => ({
    accountId,
    queryId: '61000000001',
    query: 'query Sample { sales { units } }',
    processingStatus: 'DONE',
    dataDocumentId: 'amzn1.spdoc.1.4.sample',
  }),
  DETAIL_PAGE_TRAFFIC_EVENT: (now) => ({ detailPageTrafficEvents: [{ ...hour(now), glanceViews: 17 }] }),
  FEED_PROCESSING_FINISHED: () => ({
    feedProcessingFinishedNotification: {
      sellerId,
      accountId,
      feedId: '62000000001',
      feedType: 'JSON_LISTINGS_FEED',
      processingStatus: 'DONE',
      resultFeedDocumentId: 'amzn1.spdoc.1.4.sample',
    },
  }),
  ITEM_INVENTORY_EVENT_CHANGE: (now) => ({
    itemInventoryEventChanges: [{ ...hour(now), highlyAvailableInventory: 41 }],
  }),
  ITEM_PRODUCT_TYPE_CHANGE: () => ({
    MarketplaceId: marketplaceId,
    Asin: asin,
    PreviousProductType: 'SHOES',
    CurrentProductType: 'BOOT',
  }),
  ITEM_SALES_EVENT_CHANGE: (now) => ({
    itemSalesEventChanges: [{ ...hour(now), currencyCode: 'USD', orderedUnits: 3, orderedRevenue: 239.7 }],
  }),
  LISTINGS_ITEM_ISSUES_CHANGE: () => ({
    ...item,
    Severities: ['ERROR', 'WARNING'],
    EnforcementActions: ['LISTING_SUPPRESSED', 'SEARCH_SUPPRESSED'],
  }),
  LISTINGS_ITEM_MFN_QUANTITY_CHANGE: () => ({
    SellerId: sellerId,
    MarketplaceId: marketplaceId,
    FulfillmentChannelCode: 'DEFAULT',
    Sku: sku,
    Quantity: 41,
  }),
  LISTINGS_ITEM_STATUS_CHANGE: (now) => ({ ...item, CreatedDate: now, Status: ['BUYABLE', 'DISCOVERABLE'] }),
  PRODUCT_TYPE_DEFINITIONS_CHANGE: () => ({
    AccountId: sellerId,
    MarketplaceId: marketplaceId,
    ProductTypeVersion: 'sample-version',
    NewProductTypes: ['SHOES'],
  }),
  REPORT_PROCESSING_FINISHED: () => ({
    reportProcessingFinishedNotification: {
      sellerId,
      accountId,
      reportId: '63000000001',
      reportType: 'GET_XML_RETURNS_DATA_BY_RETURN_DATE',
      processingStatus: 'DONE',
      reportDocumentId: 'amzn1.spdoc.1.4.sample',
    },
  }),
}

/** Returns the payload of a test notification. */
export function samplePayload(type: string, payloadVersion: string, now: Date): object {
  const make = samples[type]
  if (!make) throw new Error(`There is no sample of ${type}`)
  return downgradePayload(type, payloadVersion, make(now.toISOString()))
}
