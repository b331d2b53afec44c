import { formatMinor } from '../../../marketplace/money.ts'
import { splitCondition } from '../../../marketplace/offers/conditions.ts'
import type { Order, OrderItem } from '../../../marketplace/trade/order.ts'
import { discountOf, isPaid, itemTotalOf } from '../order-facts.ts'
import type { IncludedData, ItemBody } from './schema.ts'

export const money = (minor: number, currencyCode: string) => ({
  amount: formatMinor(minor, currencyCode),
  currencyCode,
})

/** `VeryGood` becomes `VERY_GOOD`. */
export const toUpperSnake = (name: string) => name.replace(/\B[A-Z](?=[a-z])/g, '_$&').toUpperCase()

const text = (value: string | null | undefined) => value ?? undefined

export interface Visible {
  included: ReadonlySet<IncludedData>
  /** Whether to show what the buyer wrote for the item: the message of a gift, and a customization. */
  showsWishes: boolean
}

export function renderItem(order: Order, item: OrderItem, { included, showsWishes }: Visible): ItemBody {
  const { currencyCode } = order
  const { points, promotionIds = [], customizedUrl } = item
  return {
    orderItemId: item.orderItemId,
    quantityOrdered: item.quantity,
    product: {
      asin: item.asin,
      title: item.title,
      sellerSku: item.sku,
      condition: renderCondition(item),
      price: isPaid(order) && item.quantity > 0 ? { unitPrice: money(unitPriceOf(item), currencyCode) } : undefined,
      customization: customizedUrl && showsWishes ? { customizedUrl } : undefined,
    },
    proceeds: included.has('PROCEEDS') && isPaid(order) ? renderProceeds(order, item) : undefined,
    expense:
      included.has('EXPENSE') && points
        ? {
            pointsCost: {
              pointsGranted: {
                pointsNumber: points.number,
                pointsMonetaryValue: money(points.valueMinor, currencyCode),
              },
            },
          }
        : undefined,
    promotion: included.has('PROMOTION')
      ? { breakdowns: promotionIds.map((promotionId) => ({ promotionId })) }
      : undefined,
    cancellation: included.has('CANCELLATION') ? renderCancellation(order, item) : undefined,
    fulfillment: included.has('FULFILLMENT') ? renderFulfillment(order, item, showsWishes) : undefined,
    tax: included.has('TAX') ? { taxCalculationBreakdowns: [], taxCollections: [] } : undefined,
  }
}

const unitPriceOf = ({ priceMinor, quantity }: OrderItem) => Math.round(priceMinor / quantity)

function renderCondition({ conditionType, conditionNote }: OrderItem): ItemBody['product']['condition'] {
  if (!conditionType) return undefined
  const { condition, subCondition } = splitCondition(conditionType)
  return {
    conditionType: toUpperSnake(condition),
    conditionSubtype: toUpperSnake(subCondition),
    conditionNote: text(conditionNote),
  }
}

interface Amount {
  type: string
  minor: number
  details?: readonly { subtype: string; minor: number }[]
}

/** What an item earns by category. The amounts add up to the total. */
export function amountsOf(item: OrderItem): Amount[] {
  const taxes = [
    { subtype: 'ITEM', minor: item.taxMinor ?? 0 },
    { subtype: 'SHIPPING', minor: item.shippingTaxMinor ?? 0 },
    { subtype: 'GIFT_WRAP', minor: item.gift?.wrapTaxMinor ?? 0 },
  ]
  const amounts: Amount[] = [
    { type: 'ITEM', minor: item.priceMinor },
    { type: 'SHIPPING', minor: item.shippingPriceMinor ?? 0 },
    { type: 'GIFT_WRAP', minor: item.gift?.wrapPriceMinor ?? 0 },
    { type: 'TAX', minor: taxes.reduce((sum, { minor }) => sum + minor, 0), details: taxes },
    { type: 'DISCOUNT', minor: -discountOf(item) || 0 },
  ]
  return amounts.filter(({ type, minor }) => type === 'ITEM' || minor !== 0)
}

const renderProceeds = ({ currencyCode }: Order, item: OrderItem): ItemBody['proceeds'] => ({
  proceedsTotal: money(itemTotalOf(item), currencyCode),
  breakdowns: amountsOf(item).map(({ type, minor, details }) => ({
    type,
    subtotal: money(minor, currencyCode),
    detailedBreakdowns: details
      ?.filter((detail) => detail.minor !== 0)
      .map((detail) => ({ subtype: detail.subtype, value: money(detail.minor, currencyCode) })),
  })),
})

function renderCancellation(
  { status, cancellation }: Order,
  { buyerCancelReason }: OrderItem,
): ItemBody['cancellation'] {
  const isRequested = typeof buyerCancelReason === 'string'
  if (!isRequested && status !== 'Canceled') return undefined
  return {
    cancellationRequest: isRequested ? { requester: 'BUYER', cancelReason: buyerCancelReason } : undefined,
    cancellationExecution:
      status === 'Canceled' ? { cancelledBy: cancellation?.by, cancelReason: cancellation?.reason } : undefined,
  }
}

function renderFulfillment(
  { status }: Order,
  { quantity, quantityShipped = 0, gift }: OrderItem,
  showsWishes: boolean,
): ItemBody['fulfillment'] {
  return {
    quantityFulfilled: quantityShipped,
    quantityUnfulfilled: status === 'Canceled' ? 0 : quantity - quantityShipped,
    packing: gift
      ? {
          giftOption: {
            giftMessage: showsWishes ? text(gift.message) : undefined,
            giftWrapLevel: text(gift.wrapLevel),
          },
        }
      : undefined,
  }
}
