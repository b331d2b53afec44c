import type { Order, OrderItem } from '../../marketplace/trade/order.ts'

/** The buyer has paid: prices and the address are known. */
export const isPaid = ({ status }: Pick<Order, 'status'>): boolean =>
  status !== 'Pending' && status !== 'PendingAvailability'

/** The buyer wrote a message for a gift or customized an item, which is personal data. */
export const hasWishes = ({ items }: Pick<Order, 'items'>): boolean =>
  items.some(({ gift, customizedUrl }) => gift?.message || customizedUrl)

/** What the buyer pays for an item, with tax and shipping, less discounts. */
export const itemTotalOf = (item: OrderItem): number =>
  item.priceMinor +
  (item.taxMinor ?? 0) +
  (item.shippingPriceMinor ?? 0) +
  (item.shippingTaxMinor ?? 0) +
  (item.gift?.wrapPriceMinor ?? 0) +
  (item.gift?.wrapTaxMinor ?? 0) -
  discountOf(item)

export const discountOf = (item: OrderItem): number =>
  (item.promotionDiscountMinor ?? 0) + (item.shippingDiscountMinor ?? 0)

export const totalOf = ({ items }: Pick<Order, 'items'>): number =>
  items.reduce((sum, item) => sum + itemTotalOf(item), 0)
