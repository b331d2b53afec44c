import type { Order, Package } from '../../../marketplace/trade/order.ts'
import { isPaid, totalOf } from '../order-facts.ts'
import { fulfillmentStatusOf } from './fulfillment-status.ts'
import { amountsOf, money, renderItem, toUpperSnake, type Visible } from './render-item.ts'
import type { IncludedData, OrderBody } from './schema.ts'

const text = (value: string | null | undefined) => value ?? undefined

export function renderOrder(
  order: Order,
  { marketplaceName, ...visible }: Visible & { marketplaceName: string | undefined },
): OrderBody {
  const { included } = visible
  const { sellerOrderId, replacedOrderId } = order
  const when = <Value>(data: IncludedData, value: () => Value) => (included.has(data) ? value() : undefined)
  return {
    orderId: order.orderId,
    orderAliases: sellerOrderId ? [{ aliasId: sellerOrderId, aliasType: 'SELLER_ORDER_ID' }] : undefined,
    createdTime: order.purchasedAt,
    lastUpdatedTime: order.updatedAt ?? order.purchasedAt,
    programs: programsOf(order),
    associatedOrders: replacedOrderId
      ? [{ orderId: replacedOrderId, associationType: 'REPLACEMENT_ORIGINAL_ID' }]
      : undefined,
    salesChannel: { channelName: 'AMAZON', marketplaceId: order.marketplaceId, marketplaceName },
    buyer: when('BUYER', () => renderBuyer(order)),
    recipient: when('RECIPIENT', () => renderRecipient(order)),
    proceeds: when('PROCEEDS', () => renderProceeds(order)),
    payment: when('PAYMENT', () => renderPayment(order)),
    tax: when('TAX', () => renderTax(order, included.has('BUYER'))),
    fulfillment: when('FULFILLMENT', () => renderFulfillment(order)),
    orderItems: order.items.map((item) => renderItem(order, item, visible)),
    packages: when('PACKAGES', () => renderPackages(order)),
    // Only Easy Ship has them, which Souk does not plan.
    fulfillmentOrders: when('FULFILLMENT_ORDERS', () => []),
  }
}

function programsOf(order: Order): string[] | undefined {
  const programs = [
    ...(order.isBusinessOrder ? ['AMAZON_BUSINESS'] : []),
    ...(order.easyShipStatus ? ['AMAZON_EASY_SHIP'] : []),
    ...(order.isPickup ? ['IN_STORE_PICK_UP'] : []),
    ...(order.isPremiumOrder ? ['PREMIUM'] : []),
    ...(order.isPrime ? ['PRIME'] : []),
  ]
  return programs.length > 0 ? programs : undefined
}

function renderBuyer({ buyer }: Order): OrderBody['buyer'] {
  return {
    buyerName: text(buyer?.name),
    buyerEmail: text(buyer?.email),
    buyerCompanyName: text(buyer?.companyName),
    buyerPurchaseOrderNumber: text(buyer?.purchaseOrderNumber),
  }
}

function renderRecipient(order: Order): OrderBody['recipient'] {
  const { shipTo, deliveryPreferences: preferences } = order
  return {
    deliveryAddress:
      shipTo && isPaid(order)
        ? {
            name: text(shipTo.name),
            companyName: text(shipTo.companyName),
            addressLine1: text(shipTo.addressLine1),
            addressLine2: text(shipTo.addressLine2),
            addressLine3: text(shipTo.addressLine3),
            city: text(shipTo.city),
            districtOrCounty: text(shipTo.district ?? shipTo.county),
            stateOrRegion: text(shipTo.stateOrRegion),
            municipality: text(shipTo.municipality),
            postalCode: text(shipTo.postalCode),
            countryCode: text(shipTo.countryCode),
            phone: text(shipTo.phone),
            addressType: shipTo.addressType?.toUpperCase(),
          }
        : undefined,
    deliveryPreference: preferences && {
      dropOffLocation: text(preferences.dropOffLocation),
      addressInstruction: text(preferences.addressInstructions),
    },
  }
}

function renderProceeds(order: Order): OrderBody['proceeds'] {
  if (!isPaid(order)) return undefined
  const sums = new Map<string, number>()
  for (const { type, minor } of order.items.flatMap(amountsOf)) sums.set(type, (sums.get(type) ?? 0) + minor)
  return {
    grandTotal: money(totalOf(order), order.currencyCode),
    breakdowns: [...sums].map(([type, minor]) => ({ type, subtotal: money(minor, order.currencyCode) })),
  }
}

function renderPayment(order: Order): OrderBody['payment'] {
  if (!isPaid(order)) return undefined
  const { payments = [{ method: order.paymentMethod ?? 'Other', amountMinor: totalOf(order) }] } = order
  return {
    paymentExecutions: payments.map(({ method, amountMinor }) => ({
      paymentMethod: method,
      paymentAmount: money(amountMinor, order.currencyCode),
    })),
  }
}

/** The registrations are those of the buyer, so they are personal data. */
function renderTax({ buyer, invoiceStatus }: Order, showsBuyer: boolean): OrderBody['tax'] {
  const tax = showsBuyer ? buyer?.businessTax : undefined
  return {
    taxRegistrations: tax && [
      {
        entityType: 'BUYER',
        legalName: text(tax.legalCompanyName),
        taxRegistrationType: 'BUSINESS',
        taxRegistrationNumber: text(tax.taxRegistrationId),
        taxRegistrationAttributes: tax.taxOffice ? [{ key: 'TAX_OFFICE', value: tax.taxOffice }] : undefined,
      },
    ],
    taxInvoicing: invoiceStatus ? { invoiceStatus: toUpperSnake(invoiceStatus) } : undefined,
  }
}

const SERVICE_LEVELS: Readonly<Record<string, string>> = {
  Expedited: 'EXPEDITED',
  FreeEconomy: 'FREE_ECONOMY',
  NextDay: 'NEXT_DAY',
  Priority: 'PRIORITY',
  SameDay: 'SAME_DAY',
  SecondDay: 'SECOND_DAY',
  Scheduled: 'SCHEDULED',
}

function renderFulfillment(order: Order): OrderBody['fulfillment'] {
  return {
    fulfillmentStatus: fulfillmentStatusOf(order.status),
    fulfilledBy: order.fulfillmentChannel === 'AFN' ? 'AMAZON' : 'MERCHANT',
    fulfillmentServiceLevel: SERVICE_LEVELS[order.shipServiceLevel ?? ''] ?? 'STANDARD',
    shipByWindow: { earliestDateTime: text(order.earliestShipAt), latestDateTime: text(order.latestShipAt) },
    deliverByWindow: {
      earliestDateTime: text(order.earliestDeliveryAt),
      latestDateTime: text(order.latestDeliveryAt),
    },
  }
}

const renderPackages = ({ packages = [], deliveredAt }: Order): OrderBody['packages'] =>
  packages.map((one: Package) => ({
    packageReferenceId: one.packageReferenceId,
    createdTime: one.createdAt,
    packageStatus: { status: deliveredAt ? 'DELIVERED' : 'SHIPPED' },
    carrier: one.carrierName ?? one.carrierCode,
    shipTime: one.shippedAt,
    shippingService: text(one.shippingMethod),
    trackingNumber: text(one.trackingNumber),
    packageItems: one.items,
  }))
