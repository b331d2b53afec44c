/**
 * One operation per line: its name, where the SDK has it (and the method, if it has another name), the path, and the
 * parameters in the order of the method. `[]` is a list, `?` is one of the options, `body` is the body.
 */
const TABLE = `
cancelFeed FeedsSpApi.FeedsApi /feeds/2021-06-30/feeds/{feedId} feedId
cancelReport ReportsSpApi.ReportsApi /reports/2021-06-30/reports/{reportId} reportId
cancelReportSchedule ReportsSpApi.ReportsApi /reports/2021-06-30/schedules/{reportScheduleId} reportScheduleId
confirmShipment OrdersSpApi.OrdersV0Api /orders/v0/orders/{orderId}/shipmentConfirmation orderId body
createDestination NotificationsSpApi.NotificationsApi /notifications/v1/destinations body
createFeed FeedsSpApi.FeedsApi /feeds/2021-06-30/feeds body
createFeedDocument FeedsSpApi.FeedsApi /feeds/2021-06-30/documents body
createProductReviewAndSellerFeedbackSolicitation SolicitationsSpApi.SolicitationsApi
  /solicitations/v1/orders/{amazonOrderId}/solicitations/productReviewAndSellerFeedback amazonOrderId
  marketplaceIds[]
createReport ReportsSpApi.ReportsApi /reports/2021-06-30/reports body
createReportSchedule ReportsSpApi.ReportsApi /reports/2021-06-30/schedules body
createRestrictedDataToken TokensSpApi.TokensApi /tokens/2021-03-01/restrictedDataToken body
createSubscription NotificationsSpApi.NotificationsApi /notifications/v1/subscriptions/{notificationType}
  notificationType body
createUploadDestinationForResource UploadsSpApi.UploadsApi /uploads/2020-11-01/uploadDestinations/{resource}
  marketplaceIds[] contentMD5 resource contentType?
deleteDestination NotificationsSpApi.NotificationsApi /notifications/v1/destinations/{destinationId} destinationId
deleteListingsItem ListingsitemsSpApi.ListingsApi /listings/2021-08-01/items/{sellerId}/{sku} sellerId sku
  marketplaceIds[] issueLocale?
deleteSubscriptionById NotificationsSpApi.NotificationsApi
  /notifications/v1/subscriptions/{notificationType}/{subscriptionId} subscriptionId notificationType
getAccount SellersSpApi.SellersApi /sellers/v1/account
getCatalogItem CatalogitemsSpApi.CatalogApi /catalog/2022-04-01/items/{asin} asin marketplaceIds[] includedData[]?
  locale?
getCompetitivePricing Pricing_v0SpApi.ProductPricingApi /products/pricing/v0/competitivePrice marketplaceId itemType
  asins[]? skus[]? customerType?
getCompetitiveSummary PricingSpApi.ProductPricingApi /batches/products/pricing/2022-05-01/items/competitiveSummary
  body
getDefinitionsProductType ProducttypedefinitionsSpApi.DefinitionsApi
  /definitions/2020-09-01/productTypes/{productType} productType marketplaceIds[] sellerId? productTypeVersion?
  requirements? requirementsEnforced? locale? parentageLevel?
getDestination NotificationsSpApi.NotificationsApi /notifications/v1/destinations/{destinationId} destinationId
getDestinations NotificationsSpApi.NotificationsApi /notifications/v1/destinations
getFeaturedOfferExpectedPriceBatch PricingSpApi.ProductPricingApi
  /batches/products/pricing/2022-05-01/offer/featuredOfferExpectedPrice body
getFeed FeedsSpApi.FeedsApi /feeds/2021-06-30/feeds/{feedId} feedId
getFeedDocument FeedsSpApi.FeedsApi /feeds/2021-06-30/documents/{feedDocumentId} feedDocumentId
  enableContentEncodingUrlHeader?
getFeeds FeedsSpApi.FeedsApi /feeds/2021-06-30/feeds feedTypes[]? marketplaceIds[]? pageSize? processingStatuses[]?
  createdSince? createdUntil? nextToken?
getItemOffers Pricing_v0SpApi.ProductPricingApi /products/pricing/v0/items/{Asin}/offers marketplaceId itemCondition
  asin customerType?
getItemOffersBatch Pricing_v0SpApi.ProductPricingApi /batches/products/pricing/v0/itemOffers body
getListingOffers Pricing_v0SpApi.ProductPricingApi /products/pricing/v0/listings/{SellerSKU}/offers marketplaceId
  itemCondition sellerSKU customerType?
getListingOffersBatch Pricing_v0SpApi.ProductPricingApi /batches/products/pricing/v0/listingOffers body
getListingsItem ListingsitemsSpApi.ListingsApi /listings/2021-08-01/items/{sellerId}/{sku} sellerId sku
  marketplaceIds[] issueLocale? includedData[]?
getListingsRestrictions ListingsrestrictionsSpApi.ListingsApi /listings/2021-08-01/restrictions asin sellerId
  marketplaceIds[] conditionType? reasonLocale? productType?
getMarketplaceParticipations SellersSpApi.SellersApi /sellers/v1/marketplaceParticipations
getOrder OrdersSpApi.OrdersV0Api /orders/v0/orders/{orderId} orderId
getOrder20260101 Orders_v2026SpApi.GetOrderApi.getOrder /orders/2026-01-01/orders/{orderId} orderId includedData[]?
getOrderAddress OrdersSpApi.OrdersV0Api /orders/v0/orders/{orderId}/address orderId
getOrderBuyerInfo OrdersSpApi.OrdersV0Api /orders/v0/orders/{orderId}/buyerInfo orderId
getOrderItems OrdersSpApi.OrdersV0Api /orders/v0/orders/{orderId}/orderItems orderId nextToken?
getOrderItemsBuyerInfo OrdersSpApi.OrdersV0Api /orders/v0/orders/{orderId}/orderItems/buyerInfo orderId nextToken?
getOrderRegulatedInfo OrdersSpApi.OrdersV0Api /orders/v0/orders/{orderId}/regulatedInfo orderId
getOrders OrdersSpApi.OrdersV0Api /orders/v0/orders marketplaceIds[] createdAfter? createdBefore? lastUpdatedAfter?
  lastUpdatedBefore? orderStatuses[]? fulfillmentChannels[]? paymentMethods[]? buyerEmail? sellerOrderId?
  maxResultsPerPage? easyShipShipmentStatuses[]? electronicInvoiceStatuses[]? nextToken? amazonOrderIds[]?
  actualFulfillmentSupplySourceId? isISPU? storeChainStoreId? earliestDeliveryDateBefore? earliestDeliveryDateAfter?
  latestDeliveryDateBefore? latestDeliveryDateAfter?
getPricing Pricing_v0SpApi.ProductPricingApi /products/pricing/v0/price marketplaceId itemType asins[]? skus[]?
  itemCondition? offerType?
getReport ReportsSpApi.ReportsApi /reports/2021-06-30/reports/{reportId} reportId
getReportDocument ReportsSpApi.ReportsApi /reports/2021-06-30/documents/{reportDocumentId} reportDocumentId
  enableContentEncodingUrlHeader?
getReportSchedule ReportsSpApi.ReportsApi /reports/2021-06-30/schedules/{reportScheduleId} reportScheduleId
getReportSchedules ReportsSpApi.ReportsApi /reports/2021-06-30/schedules reportTypes[]
getReports ReportsSpApi.ReportsApi /reports/2021-06-30/reports reportTypes[]? processingStatuses[]?
  marketplaceIds[]? pageSize? createdSince? createdUntil? nextToken?
getSolicitationActionsForOrder SolicitationsSpApi.SolicitationsApi /solicitations/v1/orders/{amazonOrderId}
  amazonOrderId marketplaceIds[]
getSubscription NotificationsSpApi.NotificationsApi /notifications/v1/subscriptions/{notificationType}
  notificationType payloadVersion?
getSubscriptionById NotificationsSpApi.NotificationsApi
  /notifications/v1/subscriptions/{notificationType}/{subscriptionId} subscriptionId notificationType
getSubscriptions NotificationsSpApi.NotificationsApi /notifications/v1/subscriptions notificationTypes[]
  payloadVersion? pageSize? nextToken?
patchListingsItem ListingsitemsSpApi.ListingsApi /listings/2021-08-01/items/{sellerId}/{sku} sellerId sku
  marketplaceIds[] body includedData[]? mode? issueLocale?
putListingsItem ListingsitemsSpApi.ListingsApi /listings/2021-08-01/items/{sellerId}/{sku} sellerId sku
  marketplaceIds[] body includedData[]? mode? issueLocale?
rotateApplicationClientSecret ApplicationsSpApi.ApplicationsApi /applications/2023-11-30/clientSecret
searchCatalogItems CatalogitemsSpApi.CatalogApi /catalog/2022-04-01/items marketplaceIds[] identifiers[]?
  identifiersType? includedData[]? locale? sellerId? keywords[]? brandNames[]? classificationIds[]? pageSize?
  pageToken? keywordsLocale?
searchDefinitionsProductTypes ProducttypedefinitionsSpApi.DefinitionsApi /definitions/2020-09-01/productTypes
  marketplaceIds[] keywords[]? itemName? locale? searchLocale?
searchListingsItems ListingsitemsSpApi.ListingsApi /listings/2021-08-01/items/{sellerId} sellerId marketplaceIds[]
  issueLocale? includedData[]? identifiers[]? identifiersType? variationParentSku? packageHierarchySku?
  createdAfter? createdBefore? lastUpdatedAfter? lastUpdatedBefore? withIssueSeverity[]? withStatus[]?
  withoutStatus[]? sortBy? sortOrder? pageSize? pageToken?
searchOrders Orders_v2026SpApi.SearchOrdersApi /orders/2026-01-01/orders createdAfter? createdBefore?
  lastUpdatedAfter? lastUpdatedBefore? fulfillmentStatuses[]? marketplaceIds[]? fulfilledBy[]? maxResultsPerPage?
  paginationToken? includedData[]?
sendTestNotification NotificationsSpApi.NotificationsApi
  /notifications/v1/subscriptions/{notificationType}/testNotification notificationType body
updateShipmentStatus OrdersSpApi.ShipmentApi /orders/v0/orders/{orderId}/shipment orderId body
updateVerificationStatus OrdersSpApi.OrdersV0Api /orders/v0/orders/{orderId}/regulatedInfo orderId body
`

export interface SdkParameter {
  name: string
  isList: boolean
  isOption: boolean
}

export interface SdkOperation {
  /** The export of the package, and in it the class. */
  namespace: string
  className: string
  method: string
  path: string
  parameters: readonly SdkParameter[]
}

/** The operations that the vendor's JavaScript SDK has, by their names in the request log. */
export const SDK_OPERATIONS: ReadonlyMap<string, SdkOperation> = new Map(
  TABLE.trim()
    .split(/\n(?=\S)/)
    .map((line) => {
      const [operation = '', place = '', path = '', ...parameters] = line.split(/\s+/)
      const [namespace = '', className = '', method = operation] = place.split('.')
      return [operation, { namespace, className, method, path, parameters: parameters.map(parameterOf) }]
    }),
)

function parameterOf(text: string): SdkParameter {
  const [name = ''] = text.split(/[[?]/)
  return { name, isList: text.includes('[]'), isOption: text.endsWith('?') }
}
