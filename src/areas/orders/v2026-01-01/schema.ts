import { type Static, Type } from 'typebox'
import { MarketplaceId, QueryList } from '../../../marketplace/schema.ts'
import { FULFILLMENT_STATUSES } from './fulfillment-status.ts'

export const INCLUDED_DATA = [
  'BUYER',
  'RECIPIENT',
  'PROCEEDS',
  'EXPENSE',
  'PROMOTION',
  'CANCELLATION',
  'FULFILLMENT',
  'PACKAGES',
  'TAX',
  'PAYMENT',
  'FULFILLMENT_ORDERS',
] as const
export type IncludedData = (typeof INCLUDED_DATA)[number]

const Time = Type.Optional(Type.String({ format: 'date-time' }))
const includedData = Type.Optional(QueryList(Type.Enum(INCLUDED_DATA), { maxItems: 20 }))

/** What a page token stands for. */
export const SearchFilter = Type.Object({
  createdAfter: Time,
  createdBefore: Time,
  lastUpdatedAfter: Time,
  lastUpdatedBefore: Time,
  fulfillmentStatuses: Type.Optional(QueryList(Type.Enum(FULFILLMENT_STATUSES), { minItems: 1, maxItems: 20 })),
  marketplaceIds: Type.Optional(QueryList(MarketplaceId, { minItems: 1, maxItems: 50 })),
  fulfilledBy: Type.Optional(QueryList(Type.Enum(['MERCHANT', 'AMAZON']), { minItems: 1, maxItems: 10 })),
  includedData,
})
export type SearchFilter = Static<typeof SearchFilter>

export const SearchQuery = Type.Object({
  ...SearchFilter.properties,
  maxResultsPerPage: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Default: 100' })),
  paginationToken: Type.Optional(
    Type.String({
      maxLength: 8000,
      description: 'nextToken of the previous page, for 24 hours. Other parameters must not differ from it',
    }),
  ),
})
export type SearchQuery = Static<typeof SearchQuery>

export const OrderParams = Type.Object({ orderId: Type.String({ maxLength: 100, description: 'Order id' }) })
export const OrderQuery = Type.Object({ includedData })

const S = Type.Optional(Type.String())
const I = Type.Optional(Type.Integer())
const Money = Type.Object({ amount: Type.String(), currencyCode: Type.String() })
const Range = Type.Optional(Type.Object({ earliestDateTime: S, latestDateTime: S }))
const Breakdown = Type.Object({ type: Type.String(), subtotal: Money })

const Item = Type.Object({
  orderItemId: Type.String(),
  quantityOrdered: Type.Integer(),
  product: Type.Object({
    asin: S,
    title: S,
    sellerSku: S,
    condition: Type.Optional(Type.Object({ conditionType: S, conditionSubtype: S, conditionNote: S })),
    price: Type.Optional(Type.Object({ unitPrice: Type.Optional(Money) })),
    customization: Type.Optional(Type.Object({ customizedUrl: S })),
  }),
  proceeds: Type.Optional(
    Type.Object({
      proceedsTotal: Type.Optional(Money),
      breakdowns: Type.Optional(
        Type.Array(
          Type.Object({
            ...Breakdown.properties,
            detailedBreakdowns: Type.Optional(Type.Array(Type.Object({ subtype: Type.String(), value: Money }))),
          }),
        ),
      ),
    }),
  ),
  expense: Type.Optional(
    Type.Object({
      pointsCost: Type.Optional(
        Type.Object({ pointsGranted: Type.Object({ pointsNumber: I, pointsMonetaryValue: Type.Optional(Money) }) }),
      ),
    }),
  ),
  promotion: Type.Optional(Type.Object({ breakdowns: Type.Array(Type.Object({ promotionId: S })) })),
  cancellation: Type.Optional(
    Type.Object({
      cancellationRequest: Type.Optional(Type.Object({ requester: S, cancelReason: S })),
      cancellationExecution: Type.Optional(Type.Object({ cancelledBy: S, cancelReason: S })),
    }),
  ),
  fulfillment: Type.Optional(
    Type.Object({
      quantityFulfilled: I,
      quantityUnfulfilled: I,
      packing: Type.Optional(
        Type.Object({ giftOption: Type.Optional(Type.Object({ giftMessage: S, giftWrapLevel: S })) }),
      ),
    }),
  ),
  tax: Type.Optional(
    Type.Object({
      taxCalculationBreakdowns: Type.Array(Type.Object({ reportingScheme: S })),
      taxCollections: Type.Array(Type.Object({ model: S, responsibleParty: S })),
    }),
  ),
})
export type ItemBody = Static<typeof Item>

const Address = Type.Object({
  name: S,
  companyName: S,
  addressLine1: S,
  addressLine2: S,
  addressLine3: S,
  city: S,
  districtOrCounty: S,
  stateOrRegion: S,
  municipality: S,
  postalCode: S,
  countryCode: S,
  phone: S,
  addressType: S,
})

export const OrderBody = Type.Object({
  orderId: Type.String(),
  orderAliases: Type.Optional(Type.Array(Type.Object({ aliasId: Type.String(), aliasType: Type.String() }))),
  createdTime: Type.String(),
  lastUpdatedTime: Type.String(),
  programs: Type.Optional(Type.Array(Type.String())),
  associatedOrders: Type.Optional(Type.Array(Type.Object({ orderId: S, associationType: S }))),
  salesChannel: Type.Object({ channelName: Type.String(), marketplaceId: S, marketplaceName: S }),
  buyer: Type.Optional(Type.Object({ buyerName: S, buyerEmail: S, buyerCompanyName: S, buyerPurchaseOrderNumber: S })),
  recipient: Type.Optional(
    Type.Object({
      deliveryAddress: Type.Optional(Address),
      deliveryPreference: Type.Optional(Type.Object({ dropOffLocation: S, addressInstruction: S })),
    }),
  ),
  proceeds: Type.Optional(
    Type.Object({ grandTotal: Type.Optional(Money), breakdowns: Type.Optional(Type.Array(Breakdown)) }),
  ),
  payment: Type.Optional(
    Type.Object({
      paymentExecutions: Type.Array(Type.Object({ paymentMethod: S, paymentAmount: Type.Optional(Money) })),
    }),
  ),
  tax: Type.Optional(
    Type.Object({
      taxRegistrations: Type.Optional(
        Type.Array(
          Type.Object({
            entityType: S,
            legalName: S,
            taxRegistrationType: S,
            taxRegistrationNumber: S,
            taxRegistrationAttributes: Type.Optional(Type.Array(Type.Object({ key: S, value: S }))),
          }),
        ),
      ),
      taxInvoicing: Type.Optional(Type.Object({ invoiceStatus: S })),
    }),
  ),
  fulfillment: Type.Optional(
    Type.Object({
      fulfillmentStatus: Type.Enum(FULFILLMENT_STATUSES),
      fulfilledBy: S,
      fulfillmentServiceLevel: S,
      shipByWindow: Range,
      deliverByWindow: Range,
    }),
  ),
  orderItems: Type.Array(Item),
  packages: Type.Optional(
    Type.Array(
      Type.Object({
        packageReferenceId: Type.String(),
        createdTime: S,
        packageStatus: Type.Optional(Type.Object({ status: Type.String() })),
        carrier: S,
        shipTime: S,
        shippingService: S,
        trackingNumber: S,
        packageItems: Type.Array(
          Type.Object({
            orderItemId: Type.String(),
            quantity: Type.Integer(),
            transparencyCodes: Type.Optional(Type.Array(Type.String())),
          }),
        ),
      }),
    ),
  ),
  fulfillmentOrders: Type.Optional(Type.Array(Type.Object({ fulfillmentOrderId: Type.String() }))),
})
export type OrderBody = Static<typeof OrderBody>

export const SearchOrdersResponse = Type.Object({
  orders: Type.Array(OrderBody),
  pagination: Type.Optional(Type.Object({ nextToken: S })),
  lastUpdatedBefore: S,
  createdBefore: S,
})
export type SearchOrdersResponse = Static<typeof SearchOrdersResponse>

export const GetOrderResponse = Type.Object({ order: OrderBody })
export type GetOrderResponse = Static<typeof GetOrderResponse>
