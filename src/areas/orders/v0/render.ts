import { formatMinor } from '../../../marketplace/money.ts'
import { splitCondition } from '../../../marketplace/offers/conditions.ts'
import type { Order, OrderItem } from '../../../marketplace/trade/order.ts'
import { isPaid, totalOf } from '../order-facts.ts'
import type { OrderBody, OrderItemBody } from './schema.ts'

/** The personal data that a restricted data token opens. */
export type DataElements = ReadonlySet<string>

const money = (minor: number | undefined, CurrencyCode: string) =>
  minor === undefined ? undefined : { CurrencyCode, Amount: formatMinor(minor, CurrencyCode) }

/** Undefined values are left out of the JSON text. */
const text = (value: string | null | undefined) => value ?? undefined

export function renderOrder(order: Order, salesChannel: string | undefined, elements: DataElements): OrderBody {
  const { currencyCode, payments, replacedOrderId } = order
  let ordered = 0
  let shipped = 0
  for (const item of order.items) {
    ordered += item.quantity
    shipped += item.quantityShipped ?? 0
  }
  return {
    AmazonOrderId: order.orderId,
    SellerOrderId: order.sellerOrderId ?? order.orderId,
    PurchaseDate: order.purchasedAt,
    LastUpdateDate: order.updatedAt ?? order.purchasedAt,
    OrderStatus: order.status,
    FulfillmentChannel: order.fulfillmentChannel,
    SalesChannel: salesChannel,
    ShipServiceLevel: order.shipServiceLevel,
    OrderTotal: isPaid(order) ? money(totalOf(order), currencyCode) : undefined,
    NumberOfItemsShipped: shipped,
    NumberOfItemsUnshipped: order.status === 'Canceled' ? 0 : ordered - shipped,
    PaymentExecutionDetail: payments?.map(({ method, amountMinor }) => ({
      Payment: money(amountMinor, currencyCode),
      PaymentMethod: method,
    })),
    PaymentMethod: order.paymentMethod,
    PaymentMethodDetails: payments?.map(({ method }) => method) ?? ['Standard'],
    MarketplaceId: order.marketplaceId,
    ShipmentServiceLevelCategory: order.shipServiceLevel,
    EasyShipShipmentStatus: text(order.easyShipStatus),
    OrderType: 'StandardOrder',
    EarliestShipDate: text(order.earliestShipAt),
    LatestShipDate: text(order.latestShipAt),
    EarliestDeliveryDate: text(order.earliestDeliveryAt),
    LatestDeliveryDate: text(order.latestDeliveryAt),
    IsBusinessOrder: order.isBusinessOrder ?? false,
    IsPrime: order.isPrime ?? false,
    IsPremiumOrder: order.isPremiumOrder ?? false,
    IsGlobalExpressEnabled: false,
    ReplacedOrderId: text(replacedOrderId),
    IsReplacementOrder: Boolean(replacedOrderId),
    IsSoldByAB: false,
    IsISPU: order.isPickup ?? false,
    IsAccessPointOrder: false,
    FulfillmentInstruction: order.supplySourceId ? { FulfillmentSupplySourceId: order.supplySourceId } : undefined,
    HasRegulatedItems: order.regulatedInfo !== undefined,
    ElectronicInvoiceStatus: text(order.invoiceStatus),
    BuyerTaxInformation: elements.has('buyerTaxInformation') ? renderBusinessTax(order) : undefined,
    ShippingAddress: elements.has('shippingAddress') ? renderAddress(order) : undefined,
    BuyerInfo: elements.has('buyerInfo') ? renderBuyer(order) : undefined,
  }
}

function renderBusinessTax({ buyer }: Order): OrderBody['BuyerTaxInformation'] {
  const tax = buyer?.businessTax
  if (!tax) return undefined
  return {
    BuyerLegalCompanyName: text(tax.legalCompanyName),
    BuyerBusinessAddress: text(tax.businessAddress),
    BuyerTaxRegistrationId: text(tax.taxRegistrationId),
    BuyerTaxOffice: text(tax.taxOffice),
  }
}

/** An address is known once the order is paid. */
export function renderAddress(order: Order): OrderBody['ShippingAddress'] {
  const { shipTo } = order
  if (!shipTo || !isPaid(order)) return undefined
  return {
    Name: text(shipTo.name),
    CompanyName: text(shipTo.companyName),
    AddressLine1: text(shipTo.addressLine1),
    AddressLine2: text(shipTo.addressLine2),
    AddressLine3: text(shipTo.addressLine3),
    City: text(shipTo.city),
    County: text(shipTo.county),
    District: text(shipTo.district),
    StateOrRegion: text(shipTo.stateOrRegion),
    Municipality: text(shipTo.municipality),
    PostalCode: text(shipTo.postalCode),
    CountryCode: text(shipTo.countryCode),
    Phone: text(shipTo.phone),
    AddressType: shipTo.addressType,
  }
}

export function renderBuyer({ buyer }: Order): NonNullable<OrderBody['BuyerInfo']> {
  const tax = buyer?.taxInfo
  return {
    BuyerEmail: text(buyer?.email),
    BuyerName: text(buyer?.name),
    BuyerCounty: text(buyer?.county),
    BuyerTaxInfo: tax && {
      CompanyLegalName: text(tax.companyLegalName),
      TaxingRegion: text(tax.taxingRegion),
      TaxClassifications: tax.classifications?.map(({ name, value }) => ({ Name: name, Value: value })),
    },
    PurchaseOrderNumber: text(buyer?.purchaseOrderNumber),
  }
}

/** Prices of an order that is not paid yet are not shown. */
export function renderItem(order: Order, item: OrderItem, elements: DataElements): OrderItemBody {
  const { currencyCode } = order
  const showsPrices = isPaid(order)
  const price = (minor: number | undefined) => (showsPrices ? money(minor, currencyCode) : undefined)
  const { points, gift, conditionType, buyerCancelReason } = item
  const condition = conditionType && splitCondition(conditionType)
  return {
    ASIN: item.asin,
    SellerSKU: item.sku,
    OrderItemId: item.orderItemId,
    Title: item.title,
    QuantityOrdered: item.quantity,
    QuantityShipped: item.quantityShipped ?? 0,
    ProductInfo: { NumberOfItems: '1' },
    PointsGranted: points && { PointsNumber: points.number, PointsMonetaryValue: price(points.valueMinor) },
    ItemPrice: price(item.priceMinor),
    ShippingPrice: price(item.shippingPriceMinor),
    ItemTax: price(item.taxMinor),
    ShippingTax: price(item.shippingTaxMinor),
    ShippingDiscount: price(item.shippingDiscountMinor),
    PromotionDiscount: price(item.promotionDiscountMinor),
    PromotionIds: showsPrices ? item.promotionIds : undefined,
    IsGift: showsPrices ? String(gift !== undefined) : undefined,
    ConditionNote: text(item.conditionNote),
    ConditionId: condition?.condition,
    ConditionSubtypeId: condition?.subCondition,
    BuyerInfo: elements.has('buyerInfo') ? renderItemBuyer(order, item) : undefined,
    BuyerRequestedCancel:
      typeof buyerCancelReason === 'string'
        ? { IsBuyerRequestedCancel: 'true', BuyerCancelReason: buyerCancelReason }
        : undefined,
  }
}

export function renderItemBuyer(
  order: Order,
  { gift, customizedUrl }: OrderItem,
): NonNullable<OrderItemBody['BuyerInfo']> {
  const { currencyCode } = order
  return {
    BuyerCustomizedInfo: customizedUrl ? { CustomizedURL: customizedUrl } : undefined,
    GiftWrapPrice: isPaid(order) ? money(gift?.wrapPriceMinor, currencyCode) : undefined,
    GiftWrapTax: isPaid(order) ? money(gift?.wrapTaxMinor, currencyCode) : undefined,
    GiftMessageText: text(gift?.message),
    GiftWrapLevel: text(gift?.wrapLevel),
  }
}
