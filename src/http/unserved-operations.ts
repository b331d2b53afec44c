/** The method and path of an operation of the Selling Partner API. */
export interface PublicOperation {
  api: string
  /** Absent where only the API is known by the beginning of the path. */
  name?: string
}

/**
 * Operations of the public interface that Souk does not serve: method, path and name, by API. They are here so that a
 * caller of one learns that it is missing, and does not search for a mistake in the address.
 */
const OPERATIONS: Record<string, string[]> = {
  Messaging: [
    'GET /messaging/v1/orders/{amazonOrderId} getMessagingActionsForOrder',
    'GET /messaging/v1/orders/{amazonOrderId}/attributes GetAttributes',
    'POST /messaging/v1/orders/{amazonOrderId}/messages/confirmCustomizationDetails confirmCustomizationDetails',
    'POST /messaging/v1/orders/{amazonOrderId}/messages/confirmDeliveryDetails createConfirmDeliveryDetails',
    'POST /messaging/v1/orders/{amazonOrderId}/messages/confirmOrderDetails createConfirmOrderDetails',
    'POST /messaging/v1/orders/{amazonOrderId}/messages/confirmServiceDetails createConfirmServiceDetails',
    'POST /messaging/v1/orders/{amazonOrderId}/messages/digitalAccessKey createDigitalAccessKey',
    'POST /messaging/v1/orders/{amazonOrderId}/messages/invoice sendInvoice',
    'POST /messaging/v1/orders/{amazonOrderId}/messages/legalDisclosure createLegalDisclosure',
    'POST /messaging/v1/orders/{amazonOrderId}/messages/unexpectedProblem createUnexpectedProblem',
    'POST /messaging/v1/orders/{amazonOrderId}/messages/warranty CreateWarranty',
  ],
  Authorization: ['GET /authorization/v1/authorizationCode getAuthorizationCode'],
  'Product Fees': [
    'POST /products/fees/v0/listings/{sku}/feesEstimate getMyFeesEstimateForSKU',
    'POST /products/fees/v0/items/{asin}/feesEstimate getMyFeesEstimateForASIN',
    'POST /products/fees/v0/feesEstimate getMyFeesEstimates',
  ],
  'Catalog Items': [
    'GET /catalog/v0/items listCatalogItems',
    'GET /catalog/v0/items/{asin} getCatalogItem',
    'GET /catalog/v0/categories listCatalogCategories',
  ],
  Sales: ['GET /sales/v1/orderMetrics getOrderMetrics'],
  Finances: [
    'GET /finances/v0/financialEventGroups listFinancialEventGroups',
    'GET /finances/v0/financialEventGroups/{groupId}/financialEvents listFinancialEventsByGroupId',
    'GET /finances/v0/orders/{orderId}/financialEvents listFinancialEventsByOrderId',
    'GET /finances/v0/financialEvents listFinancialEvents',
    'GET /finances/2024-06-19/transactions listTransactions',
  ],
  'FBA Inventory': [
    'GET /fba/inventory/v1/summaries getInventorySummaries',
    'POST /fba/inventory/v1/items createInventoryItem',
    'DELETE /fba/inventory/v1/items/{sku} deleteInventoryItem',
    'POST /fba/inventory/v1/items/inventory addInventory',
  ],
  'FBA Inbound Eligibility': ['GET /fba/inbound/v1/eligibility/itemPreview getItemEligibilityPreview'],
  'Fulfillment Inbound': [
    'GET /fba/inbound/v0/prepInstructions getPrepInstructions',
    'GET /fba/inbound/v0/shipments getShipments',
    'GET /fba/inbound/v0/shipments/{shipmentId}/labels getLabels',
    'GET /fba/inbound/v0/shipments/{shipmentId}/billOfLading getBillOfLading',
    'GET /fba/inbound/v0/shipments/{shipmentId}/items getShipmentItemsByShipmentId',
    'GET /fba/inbound/v0/shipmentItems getShipmentItems',
    'GET /inbound/fba/2024-03-20/inboundPlans listInboundPlans',
    'POST /inbound/fba/2024-03-20/inboundPlans createInboundPlan',
    'GET /inbound/fba/2024-03-20/inboundPlans/{planId} getInboundPlan',
  ],
  'Fulfillment Outbound': [
    'POST /fba/outbound/2020-07-01/fulfillmentOrders/preview getFulfillmentPreview',
    'GET /fba/outbound/2020-07-01/fulfillmentOrders listAllFulfillmentOrders',
    'POST /fba/outbound/2020-07-01/fulfillmentOrders createFulfillmentOrder',
    'GET /fba/outbound/2020-07-01/fulfillmentOrders/{orderId} getFulfillmentOrder',
    'PUT /fba/outbound/2020-07-01/fulfillmentOrders/{orderId} updateFulfillmentOrder',
    'PUT /fba/outbound/2020-07-01/fulfillmentOrders/{orderId}/cancel cancelFulfillmentOrder',
    'PUT /fba/outbound/2020-07-01/fulfillmentOrders/{orderId}/return createFulfillmentReturn',
    'GET /fba/outbound/2020-07-01/tracking getPackageTrackingDetails',
    'GET /fba/outbound/2020-07-01/returnReasonCodes listReturnReasonCodes',
    'GET /fba/outbound/2020-07-01/features getFeatures',
  ],
  'Merchant Fulfillment': [
    'POST /mfn/v0/eligibleShippingServices getEligibleShipmentServices',
    'POST /mfn/v0/shipments createShipment',
    'GET /mfn/v0/shipments/{shipmentId} getShipment',
    'DELETE /mfn/v0/shipments/{shipmentId} cancelShipment',
    'POST /mfn/v0/additionalSellerInputs getAdditionalSellerInputs',
  ],
  Shipping: [
    'POST /shipping/v2/shipments/rates getRates',
    'POST /shipping/v2/shipments purchaseShipment',
    'POST /shipping/v2/oneClickShipment oneClickShipment',
    'GET /shipping/v2/tracking getTracking',
    'GET /shipping/v2/shipments/{shipmentId}/documents getShipmentDocuments',
    'PUT /shipping/v2/shipments/{shipmentId}/cancel cancelShipment',
  ],
  'Easy Ship': [
    'POST /easyShip/2022-03-23/timeSlot listHandoverSlots',
    'GET /easyShip/2022-03-23/package getScheduledPackage',
    'POST /easyShip/2022-03-23/package createScheduledPackage',
    'PATCH /easyShip/2022-03-23/package updateScheduledPackages',
  ],
  'Data Kiosk': [
    'GET /dataKiosk/2023-11-15/queries getQueries',
    'POST /dataKiosk/2023-11-15/queries createQuery',
    'GET /dataKiosk/2023-11-15/queries/{queryId} getQuery',
    'DELETE /dataKiosk/2023-11-15/queries/{queryId} cancelQuery',
    'GET /dataKiosk/2023-11-15/documents/{documentId} getDocument',
  ],
  'A+ Content': [
    'GET /aplus/2020-11-01/contentDocuments searchContentDocuments',
    'POST /aplus/2020-11-01/contentDocuments createContentDocument',
    'GET /aplus/2020-11-01/contentDocuments/{key} getContentDocument',
    'POST /aplus/2020-11-01/contentDocuments/{key} updateContentDocument',
    'POST /aplus/2020-11-01/contentAsinValidations validateContentDocumentAsinRelations',
    'GET /aplus/2020-11-01/contentPublishRecords searchContentPublishRecords',
  ],
}

/** Where an API is known by the beginning of its paths. The first that fits counts. */
const PREFIXES: readonly [prefix: string, api: string][] = [
  ['/messaging', 'Messaging'],
  ['/uploads', 'Uploads'],
  ['/applications', 'Application Management'],
  ['/authorization', 'Authorization'],
  ['/products/fees', 'Product Fees'],
  ['/sales', 'Sales'],
  ['/finances/transfers', 'Transfers'],
  ['/finances', 'Finances'],
  ['/fba/inventory', 'FBA Inventory'],
  ['/fba/inbound', 'Fulfillment Inbound'],
  ['/inbound/fba', 'Fulfillment Inbound'],
  ['/fba/outbound/brazil', 'Shipment Invoicing'],
  ['/fba/outbound', 'Fulfillment Outbound'],
  ['/fba', 'Fulfillment by Amazon'],
  ['/mfn', 'Merchant Fulfillment'],
  ['/shipping', 'Shipping'],
  ['/easyShip', 'Easy Ship'],
  ['/dataKiosk', 'Data Kiosk'],
  ['/aplus', 'A+ Content'],
  ['/service', 'Services'],
  ['/replenishment', 'Replenishment'],
  ['/supplySources', 'Supply Sources'],
  ['/tax/invoices', 'Invoices'],
  ['/awd', 'Amazon Warehousing and Distribution'],
  ['/customerFeedback', 'Customer Feedback'],
  ['/externalFulfillment', 'External Fulfillment'],
  ['/appIntegrations', 'App Integrations'],
  ['/vehicles', 'Vehicles'],
  ['/catalog/v0', 'Catalog Items'],
  ['/vendor/directFulfillment', 'Vendor Direct Fulfillment'],
  ['/vendor', 'Vendor'],
]

/** Every operation of the table. */
export const unservedOperations = Object.entries(OPERATIONS).flatMap(([api, rows]) =>
  rows.map((row) => {
    const [method = '', path = '', name = ''] = row.split(' ')
    return { api, method, path, name, segments: path.split('/') }
  }),
)

/** The operation of the public interface that a request is for, if it is one that Souk does not serve. */
export function findUnserved(method: string, path: string): PublicOperation | undefined {
  const given = path.split('/')
  const found = unservedOperations.find((one) => one.method === method && matchesSegments(one.segments, given))
  if (found) return { api: found.api, name: found.name }
  const [, api] = PREFIXES.find(([prefix]) => path === prefix || path.startsWith(`${prefix}/`)) ?? []
  return api === undefined ? undefined : { api }
}

const matchesSegments = (wanted: readonly string[], given: readonly string[]) =>
  wanted.length === given.length &&
  wanted.every((segment, index) => segment === given[index] || (segment.startsWith('{') && given[index] !== ''))
