import { type Static, Type } from 'typebox'
import { CONDITION_TYPES } from '../offers/conditions.ts'
import {
  CountryCode,
  CurrencyCode,
  DateTime,
  MarketplaceId,
  MinorUnits,
  Name,
  Nullable,
  OrderId,
  SellerId,
  Sku,
  strict,
} from '../schema.ts'
import { ORDER_STATUSES } from './order-states.ts'
import { RegulatedInfo } from './regulated-info.ts'

export const PAYMENT_METHODS = ['COD', 'CVS', 'Other'] as const
export const EASY_SHIP_STATUSES = [
  'PendingSchedule',
  'PendingPickUp',
  'PendingDropOff',
  'LabelCanceled',
  'PickedUp',
  'DroppedOff',
  'AtOriginFC',
  'AtDestinationFC',
  'Delivered',
  'RejectedByBuyer',
  'Undeliverable',
  'ReturningToSeller',
  'ReturnedToSeller',
  'Lost',
  'OutForDelivery',
  'Damaged',
] as const
export const INVOICE_STATUSES = ['NotRequired', 'NotFound', 'Processing', 'Errored', 'Accepted'] as const
export const PICKUP_STATUSES = ['ReadyForPickup', 'PickedUp', 'RefusedPickup'] as const

const Time = Type.Optional(Nullable(DateTime))
const Count = Type.Integer({ minimum: 0, maximum: 1_000_000 })
const Text = Type.Optional(Nullable(Name))
const LongText = Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 2000 })))
const flag = (description: string) => Type.Optional(Type.Boolean({ description }))

export const OrderItemId = Type.String({ pattern: '^\\d{1,20}$' })

export const OrderItem = Type.Object(
  {
    orderItemId: OrderItemId,
    sku: Sku,
    asin: Type.String({ pattern: '^[A-Z0-9]{10}$' }),
    title: Name,
    quantity: Count,
    quantityShipped: Type.Optional({
      ...Count,
      description: 'Default: the quantity if the status is Shipped or InvoiceUnconfirmed, otherwise 0',
    }),
    priceMinor: MinorUnits,
    taxMinor: Type.Optional(MinorUnits),
    shippingPriceMinor: Type.Optional(MinorUnits),
    shippingTaxMinor: Type.Optional(MinorUnits),
    shippingDiscountMinor: Type.Optional(MinorUnits),
    promotionDiscountMinor: Type.Optional(MinorUnits),
    promotionIds: Type.Optional(Type.Array(Name, { maxItems: 20 })),
    conditionType: Type.Optional(Type.Enum(CONDITION_TYPES)),
    conditionNote: LongText,
    points: Type.Optional(
      Type.Object({ number: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }), valueMinor: MinorUnits }, strict),
    ),
    gift: Type.Optional(
      Type.Object(
        {
          message: LongText,
          wrapLevel: Text,
          wrapPriceMinor: Type.Optional(MinorUnits),
          wrapTaxMinor: Type.Optional(MinorUnits),
        },
        strict,
      ),
    ),
    customizedUrl: LongText,
    buyerCancelReason: Type.Optional(
      Nullable(Type.String({ maxLength: 500, description: 'Present if the buyer asked for a cancellation' })),
    ),
  },
  strict,
)

const TaxClassification = Type.Object({ name: Name, value: Name }, strict)

const Buyer = Type.Object(
  {
    name: Text,
    email: Type.Optional(Nullable(Type.String({ pattern: '^[^\\s@]{1,64}@[^\\s@]{1,255}$' }))),
    county: Text,
    companyName: Text,
    purchaseOrderNumber: Text,
    taxInfo: Type.Optional(
      Type.Object(
        {
          companyLegalName: Text,
          taxingRegion: Text,
          classifications: Type.Optional(Type.Array(TaxClassification, { maxItems: 10 })),
        },
        strict,
      ),
    ),
    businessTax: Type.Optional(
      Type.Object(
        { legalCompanyName: Text, businessAddress: LongText, taxRegistrationId: Text, taxOffice: Text },
        strict,
      ),
    ),
  },
  { ...strict, description: 'Personal data' },
)

const ShipTo = Type.Object(
  {
    city: Text,
    stateOrRegion: Text,
    postalCode: Text,
    countryCode: Type.Optional(Nullable(CountryCode)),
    name: Text,
    companyName: Text,
    addressLine1: Text,
    addressLine2: Text,
    addressLine3: Text,
    county: Text,
    district: Text,
    municipality: Text,
    phone: Text,
    addressType: Type.Optional(Type.Enum(['Residential', 'Commercial'])),
  },
  strict,
)

export const PackageReferenceId = Type.String({
  pattern: '^[1-9]\\d{0,19}$',
  description: 'Identifies a package of an order. A positive number',
})

/** In one package. */
export const MAX_TRANSPARENCY_CODES = 1000

export const TransparencyCodes = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  maxItems: MAX_TRANSPARENCY_CODES,
  description: `At most one per piece, and ${MAX_TRANSPARENCY_CODES} in a package`,
})

export const PackageItem = Type.Object(
  {
    orderItemId: OrderItemId,
    quantity: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
    transparencyCodes: Type.Optional(TransparencyCodes),
  },
  strict,
)

export const Package = Type.Object(
  {
    packageReferenceId: PackageReferenceId,
    carrierCode: Name,
    carrierName: Text,
    shippingMethod: Text,
    trackingNumber: Text,
    shippedAt: DateTime,
    createdAt: Type.Optional(DateTime),
    supplySourceId: Text,
    items: Type.Array(PackageItem, { minItems: 1, maxItems: 100 }),
  },
  strict,
)

export const MAX_PACKAGES = 200

export const Order = Type.Object(
  {
    sellerId: SellerId,
    orderId: OrderId,
    sellerOrderId: Text,
    marketplaceId: MarketplaceId,
    status: Type.Enum(ORDER_STATUSES),
    fulfillmentChannel: Type.Enum(['AFN', 'MFN']),
    takesStock: flag(
      'Whether the pieces come out of the stock of the listings. Default: true for a new order that is not shipped or canceled',
    ),
    purchasedAt: DateTime,
    updatedAt: Type.Optional(DateTime),
    earliestShipAt: Time,
    latestShipAt: Time,
    earliestDeliveryAt: Time,
    latestDeliveryAt: Time,
    shippedAt: Time,
    deliveredAt: Time,
    acknowledgedAt: Type.Optional(Nullable({ ...DateTime, description: 'When the seller acknowledged the order.' })),
    buyerAcceptsRequests: flag('False if the buyer opted out of review requests. Default: true'),
    currencyCode: CurrencyCode,
    shipServiceLevel: Type.Optional(Name),
    shipTo: Type.Optional(Nullable(ShipTo)),
    buyer: Type.Optional(Buyer),
    deliveryPreferences: Type.Optional(Type.Object({ dropOffLocation: Text, addressInstructions: LongText }, strict)),
    paymentMethod: Type.Optional(Type.Enum(PAYMENT_METHODS, { description: 'Default: Other' })),
    payments: Type.Optional(
      Type.Array(Type.Object({ method: Name, amountMinor: MinorUnits }, strict), { maxItems: 20 }),
    ),
    isBusinessOrder: flag('Default: false'),
    isPrime: flag('Default: false'),
    isPremiumOrder: flag('Default: false'),
    replacedOrderId: Type.Optional(Nullable({ ...OrderId, description: 'The order that this one replaces' })),
    isPickup: flag('Whether the buyer picks the order up in a store. Default: false'),
    pickupStatus: Type.Optional(Type.Enum(PICKUP_STATUSES)),
    storeChainStoreId: Text,
    supplySourceId: Text,
    easyShipStatus: Type.Optional(Nullable(Type.Enum(EASY_SHIP_STATUSES))),
    invoiceStatus: Type.Optional(Nullable(Type.Enum(INVOICE_STATUSES))),
    cancellation: Type.Optional(
      Type.Object({ by: Type.Enum(['BUYER', 'MERCHANT', 'AMAZON']), reason: Type.Optional(Name) }, strict),
    ),
    regulatedInfo: Type.Optional(RegulatedInfo),
    items: Type.Array(OrderItem, { minItems: 1, maxItems: 100 }),
    packages: Type.Optional(
      Type.Array(Package, { maxItems: MAX_PACKAGES, description: 'Omit it to keep the packages of the order' }),
    ),
  },
  strict,
)
export type Order = Static<typeof Order>
export type OrderItem = Static<typeof OrderItem>
export type Package = Static<typeof Package>
export type PackageItem = Static<typeof PackageItem>
export type OrderKey = Pick<Order, 'sellerId' | 'orderId'>

/** Identifies an order in a map. */
export const orderKey = ({ sellerId, orderId }: OrderKey) => `${sellerId} ${orderId}`
