import { type Static, type TSchema, Type } from 'typebox'
import { MarketplaceId, OrderId, QueryList } from '../../../marketplace/schema.ts'
import { EASY_SHIP_STATUSES, INVOICE_STATUSES, PAYMENT_METHODS } from '../../../marketplace/trade/order.ts'
import { ORDER_STATUSES } from '../../../marketplace/trade/order-states.ts'
import { VERIFICATION_STATUSES } from '../../../marketplace/trade/regulated-info.ts'

const text = (maxLength = 500) => Type.String({ minLength: 1, maxLength })
const Time = Type.Optional(Type.String({ format: 'date-time' }))
const list = <Item extends TSchema>(item: Item, maxItems = 50) =>
  Type.Optional(QueryList(item, { minItems: 1, maxItems }))

/** What a page token stands for. */
export const OrdersFilter = Type.Object({
  MarketplaceIds: QueryList(MarketplaceId, { minItems: 1, maxItems: 50 }),
  CreatedAfter: Time,
  CreatedBefore: Time,
  LastUpdatedAfter: Time,
  LastUpdatedBefore: Time,
  OrderStatuses: list(Type.Enum(ORDER_STATUSES)),
  FulfillmentChannels: list(Type.Enum(['AFN', 'MFN'])),
  PaymentMethods: list(Type.Enum(PAYMENT_METHODS)),
  BuyerEmail: Type.Optional(text()),
  SellerOrderId: Type.Optional(text()),
  EasyShipShipmentStatuses: list(Type.Enum(EASY_SHIP_STATUSES)),
  ElectronicInvoiceStatuses: list(Type.Enum(INVOICE_STATUSES)),
  AmazonOrderIds: list(OrderId),
  ActualFulfillmentSupplySourceId: Type.Optional(text()),
  IsISPU: Type.Optional(Type.Boolean()),
  StoreChainStoreId: Type.Optional(text()),
  EarliestDeliveryDateBefore: Time,
  EarliestDeliveryDateAfter: Time,
  LatestDeliveryDateBefore: Time,
  LatestDeliveryDateAfter: Time,
})
export type OrdersFilter = Static<typeof OrdersFilter>

export const OrdersQuery = Type.Object({
  ...OrdersFilter.properties,
  MaxResultsPerPage: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Default: 100' })),
  NextToken: Type.Optional(
    Type.String({ maxLength: 8000, description: 'From the previous page. Other parameters must not differ from it' }),
  ),
})
export type OrdersQuery = Static<typeof OrdersQuery>

export const OrderParams = Type.Object({ orderId: Type.String({ maxLength: 100, description: 'Order id' }) })
export const ItemsQuery = Type.Object({ NextToken: Type.Optional(Type.String({ maxLength: 8000 })) })

const S = Type.Optional(Type.String())
const B = Type.Optional(Type.Boolean())
const I = Type.Optional(Type.Integer())
const Money = Type.Optional(Type.Object({ CurrencyCode: Type.String(), Amount: Type.String() }))

const Address = Type.Object({
  Name: S,
  CompanyName: S,
  AddressLine1: S,
  AddressLine2: S,
  AddressLine3: S,
  City: S,
  County: S,
  District: S,
  StateOrRegion: S,
  Municipality: S,
  PostalCode: S,
  CountryCode: S,
  Phone: S,
  AddressType: S,
})

const BuyerInfo = Type.Object({
  BuyerEmail: S,
  BuyerName: S,
  BuyerCounty: S,
  BuyerTaxInfo: Type.Optional(
    Type.Object({
      CompanyLegalName: S,
      TaxingRegion: S,
      TaxClassifications: Type.Optional(Type.Array(Type.Object({ Name: S, Value: S }))),
    }),
  ),
  PurchaseOrderNumber: S,
})

export const OrderBody = Type.Object({
  AmazonOrderId: Type.String(),
  SellerOrderId: S,
  PurchaseDate: Type.String(),
  LastUpdateDate: Type.String(),
  OrderStatus: Type.Enum(ORDER_STATUSES),
  FulfillmentChannel: S,
  SalesChannel: S,
  ShipServiceLevel: S,
  OrderTotal: Money,
  NumberOfItemsShipped: I,
  NumberOfItemsUnshipped: I,
  PaymentExecutionDetail: Type.Optional(Type.Array(Type.Object({ Payment: Money, PaymentMethod: Type.String() }))),
  PaymentMethod: S,
  PaymentMethodDetails: Type.Optional(Type.Array(Type.String())),
  MarketplaceId: S,
  ShipmentServiceLevelCategory: S,
  EasyShipShipmentStatus: S,
  OrderType: S,
  EarliestShipDate: S,
  LatestShipDate: S,
  EarliestDeliveryDate: S,
  LatestDeliveryDate: S,
  IsBusinessOrder: B,
  IsPrime: B,
  IsPremiumOrder: B,
  IsGlobalExpressEnabled: B,
  ReplacedOrderId: S,
  IsReplacementOrder: B,
  IsSoldByAB: B,
  IsISPU: B,
  IsAccessPointOrder: B,
  FulfillmentInstruction: Type.Optional(Type.Object({ FulfillmentSupplySourceId: S })),
  HasRegulatedItems: B,
  ElectronicInvoiceStatus: S,
  BuyerTaxInformation: Type.Optional(
    Type.Object({
      BuyerLegalCompanyName: S,
      BuyerBusinessAddress: S,
      BuyerTaxRegistrationId: S,
      BuyerTaxOffice: S,
    }),
  ),
  ShippingAddress: Type.Optional(Address),
  BuyerInfo: Type.Optional(BuyerInfo),
})
export type OrderBody = Static<typeof OrderBody>

const payload = <Payload extends TSchema>(schema: Payload) => Type.Object({ payload: schema })

export const GetOrdersResponse = payload(
  Type.Object({ Orders: Type.Array(OrderBody), NextToken: S, LastUpdatedBefore: S, CreatedBefore: S }),
)
export type GetOrdersResponse = Static<typeof GetOrdersResponse>

export const GetOrderResponse = payload(OrderBody)
export type GetOrderResponse = Static<typeof GetOrderResponse>

const ItemBuyerInfo = Type.Object({
  BuyerCustomizedInfo: Type.Optional(Type.Object({ CustomizedURL: S })),
  GiftWrapPrice: Money,
  GiftWrapTax: Money,
  GiftMessageText: S,
  GiftWrapLevel: S,
})

export const OrderItemBody = Type.Object({
  ASIN: Type.String(),
  SellerSKU: S,
  OrderItemId: Type.String(),
  Title: S,
  QuantityOrdered: Type.Integer(),
  QuantityShipped: I,
  ProductInfo: Type.Optional(Type.Object({ NumberOfItems: S })),
  PointsGranted: Type.Optional(Type.Object({ PointsNumber: I, PointsMonetaryValue: Money })),
  ItemPrice: Money,
  ShippingPrice: Money,
  ItemTax: Money,
  ShippingTax: Money,
  ShippingDiscount: Money,
  PromotionDiscount: Money,
  PromotionIds: Type.Optional(Type.Array(Type.String())),
  IsGift: S,
  ConditionNote: S,
  ConditionId: S,
  ConditionSubtypeId: S,
  BuyerInfo: Type.Optional(ItemBuyerInfo),
  BuyerRequestedCancel: Type.Optional(Type.Object({ IsBuyerRequestedCancel: S, BuyerCancelReason: S })),
})
export type OrderItemBody = Static<typeof OrderItemBody>

export const GetOrderItemsResponse = payload(
  Type.Object({ AmazonOrderId: Type.String(), OrderItems: Type.Array(OrderItemBody) }),
)
export type GetOrderItemsResponse = Static<typeof GetOrderItemsResponse>

export const GetOrderItemsBuyerInfoResponse = payload(
  Type.Object({
    AmazonOrderId: Type.String(),
    OrderItems: Type.Array(Type.Object({ OrderItemId: Type.String(), ...ItemBuyerInfo.properties })),
  }),
)
export type GetOrderItemsBuyerInfoResponse = Static<typeof GetOrderItemsBuyerInfoResponse>

export const GetOrderBuyerInfoResponse = payload(Type.Object({ AmazonOrderId: Type.String(), ...BuyerInfo.properties }))
export type GetOrderBuyerInfoResponse = Static<typeof GetOrderBuyerInfoResponse>

export const GetOrderAddressResponse = payload(
  Type.Object({
    AmazonOrderId: Type.String(),
    BuyerCompanyName: S,
    ShippingAddress: Type.Optional(Address),
    DeliveryPreferences: Type.Optional(Type.Object({ DropOffLocation: S, AddressInstructions: S })),
  }),
)
export type GetOrderAddressResponse = Static<typeof GetOrderAddressResponse>

const RejectionReason = Type.Object({ RejectionReasonId: Type.String(), RejectionReasonDescription: Type.String() })

export const GetOrderRegulatedInfoResponse = payload(
  Type.Object({
    AmazonOrderId: Type.String(),
    RegulatedInformation: Type.Object({
      Fields: Type.Array(
        Type.Object({
          FieldId: Type.String(),
          FieldLabel: Type.String(),
          FieldType: Type.String(),
          FieldValue: Type.String(),
        }),
      ),
    }),
    RequiresDosageLabel: Type.Boolean(),
    RegulatedOrderVerificationStatus: Type.Object({
      Status: Type.Enum(VERIFICATION_STATUSES),
      RequiresMerchantAction: Type.Boolean(),
      ValidRejectionReasons: Type.Array(RejectionReason),
      RejectionReason: Type.Optional(RejectionReason),
      ReviewDate: S,
      ExternalReviewerId: S,
    }),
  }),
)
export type GetOrderRegulatedInfoResponse = Static<typeof GetOrderRegulatedInfoResponse>
