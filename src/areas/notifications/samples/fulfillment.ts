import { money, type Sample, sample } from './common.ts'

const { sellerId, marketplaceId, asin, sku, orderId } = sample

const orderChange: Sample = (now) => ({
  OrderChangeNotification: {
    NotificationLevel: 'OrderLevel',
    SellerId: sellerId,
    AmazonOrderId: orderId,
    OrderChangeType: 'OrderStatusChange',
    OrderChangeTrigger: { TimeOfOrderChange: now, ChangeReason: 'A test' },
    Summary: {
      MarketplaceId: marketplaceId,
      OrderStatus: 'Unshipped',
      PurchaseDate: now,
      DestinationPostalCode: '97201',
      FulfillmentType: 'MFN',
      OrderType: 'StandardOrder',
      NumberOfItemsShipped: 0,
      NumberOfItemsUnshipped: 2,
      OrderItems: [
        { OrderItemId: '70000000000001', SellerSKU: sku, SupplySourceId: null, Quantity: 2, QuantityShipped: 0 },
      ],
    },
  },
})

const fulfillmentOrderStatus: Sample = (now) => {
  const parcel = { PackageNumber: 1, CarrierCode: 'SAMPLE', TrackingNumber: 'SAMPLE-TRACKING-1' }
  return {
    FulfillmentOrderStatusNotification: {
      SellerId: sellerId,
      EventType: 'Order',
      StatusUpdatedDateTime: now,
      SellerFulfillmentOrderId: 'SAMPLE-FULFILLMENT-1',
      FulfillmentOrderStatus: 'COMPLETE',
      FulfillmentShipment: {
        FulfillmentShipmentStatus: 'SHIPPED',
        AmazonShipmentId: 'SAMPLESHIPMENT1',
        EstimatedArrivalDateTime: now,
        info: parcel,
        FulfillmentShipmentPackages: [parcel],
      },
      FulfillmentReturnItem: { ReceivedDateTime: now, ReturnedQuantity: 0, SellerSKU: sku },
    },
  }
}

const inventory = {
  InboundQuantityBreakdown: { Working: 0, Shipped: 12, Receiving: 3 },
  Fulfillable: 41,
  Unfulfillable: 1,
  Researching: 0,
  ReservedQuantityBreakdown: { WarehouseProcessing: 2, WarehouseTransfer: 0, PendingCustomerOrder: 4 },
  FutureSupplyBuyable: 0,
  PendingCustomerOrderInTransit: 0,
}

const fee = (amount: number) => ({
  FeeType: 'ReferralFee',
  FeeAmount: money(amount),
  TaxAmount: money(0),
  FeePromotion: money(1),
  FinalFee: money(amount - 1),
})

const feePromotion: Sample = (now) => ({
  FeePromotionNotification: {
    MerchantId: sellerId,
    MarketplaceId: marketplaceId,
    FeePromotionType: 'SAMPLE_PROMOTION',
    FeePromotionTypeDescription: 'Lower fees for a while',
    PromotionActiveTimeRange: { EffectiveFromDate: now, EffectiveThroughDate: now },
    Identifiers: [
      {
        IdentifierType: 'ASIN',
        IdentifierValues: [{ IdentifierValueId: asin, IdentifierValueFriendlyName: 'A shoe' }],
      },
    ],
    PromotionInformation: [
      {
        FeeType: 'ReferralFee',
        FeeDiscountType: 'PERCENTAGE',
        FeeDiscountValue: 12.5,
        PriceThreshold: money(80),
        FeeDiscountMonetaryAmount: money(1),
        FeesEstimate: {
          TimeOfFeesEstimated: now,
          TotalFeesEstimate: money(11),
          FeeDetails: [{ ...fee(12), IncludedFees: [fee(12)] }],
        },
      },
    ],
  },
})

const trackingMilestone: Sample = (now) => ({
  shipmentTrackingMilestoneChangedNotification: {
    trackingDetail: {
      identifier: { aftn: 'SAMPLEAFTN1' },
      latestMilestone: { status: { code: 'IN_TRANSIT', description: 'On its way' }, eventTime: now },
    },
  },
})

export const fulfillmentSamples: Record<string, Sample> = {
  ORDER_CHANGE: orderChange,
  FULFILLMENT_ORDER_STATUS: fulfillmentOrderStatus,
  FEE_PROMOTION: feePromotion,
  SHIPMENT_TRACKING_MILESTONE_CHANGED: trackingMilestone,
  FBA_INVENTORY_AVAILABILITY_CHANGES: () => ({
    SellerId: sellerId,
    FNSKU: 'X00SAMPLE1',
    ASIN: asin,
    SKU: sku,
    FulfillmentInventoryByMarketplace: [
      { MarketplaceId: marketplaceId, ItemName: 'A shoe', FulfillmentInventory: inventory, Stores: [] },
    ],
  }),
  FBA_OUTBOUND_SHIPMENT_STATUS: () => ({
    FBAOutboundShipmentStatusNotification: {
      SellerId: sellerId,
      AmazonOrderId: orderId,
      AmazonShipmentId: 'SAMPLESHIPMENT1',
      ShipmentStatus: 'Created',
    },
  }),
  EXTERNAL_FULFILLMENT_SHIPMENT_STATUS_CHANGE: (now) => ({
    externalFulfillmentShipmentStatusChangeNotification: {
      sellerId,
      shipmentId: 'SAMPLESHIPMENT1',
      shipmentStatus: 'CONFIRMED',
      updatedTime: now,
    },
  }),
  TRANSACTION_UPDATE: (now) => ({
    TransactionUpdateNotification: {
      SellingPartnerMetadata: { SellingPartnerId: sellerId, MarketplaceId: marketplaceId, AccountType: 'PAYABLE' },
      RelatedIdentifiers: [{ RelatedIdentifierName: 'OrderId', RelatedIdentifierValue: orderId }],
      TransactionType: 'Shipment',
      PostedDate: now,
      TotalAmount: { CurrencyAmount: 64.25, CurrencyCode: 'USD' },
    },
  }),
}
