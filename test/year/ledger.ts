export type OrderStatus = 'Unshipped' | 'PartiallyShipped' | 'Shipped' | 'Canceled'

export interface LedgerItem {
  orderItemId: string
  sku: string
  quantity: number
  /** Of one piece. */
  priceMinor: number
  shipped: number
  returned: number
}

export interface LedgerOrder {
  orderId: string
  items: LedgerItem[]
  placedAt: number
  /** Promised. */
  earliestDelivery: number
  latestDelivery: number
  acceptsRequests: boolean
  packages: number
  /** Every status in turn, as subscribers see them. */
  statuses: OrderStatus[]
  isDelivered: boolean
  rating?: number
  isSolicited: boolean
}

export type Sale = Pick<
  LedgerOrder,
  'orderId' | 'placedAt' | 'earliestDelivery' | 'latestDelivery' | 'acceptsRequests'
> & { items: Pick<LedgerItem, 'orderItemId' | 'sku' | 'quantity'>[] }

export interface Product {
  sku: string
  asin: string
  priceMinor: number
  /** Each quantity in turn. The last one is the stock. */
  quantities: number[]
  /** Pieces that the seller put on the shelf. */
  stocked: number
}

/** Pieces of one item of an order. */
export interface Pieces {
  item: LedgerItem
  quantity: number
}

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000

/** What a seller would write down on paper. It knows nothing of Souk. */
export class Ledger {
  readonly products = new Map<string, Product>()
  readonly orders = new Map<string, LedgerOrder>()
  lostSales = 0

  list(product: Pick<Product, 'sku' | 'asin' | 'priceMinor'>, quantity: number): void {
    this.products.set(product.sku, { ...product, quantities: [quantity], stocked: quantity })
  }

  product(sku: string): Product {
    const product = this.products.get(sku)
    if (!product) throw new Error(`No product ${sku}`)
    return product
  }

  stockOf = (sku: string): number => this.product(sku).quantities.at(-1) ?? 0

  restock(sku: string, quantity: number): void {
    this.product(sku).stocked += quantity - this.stockOf(sku)
    this.#setStock(sku, quantity)
  }

  #setStock(sku: string, quantity: number): void {
    if (quantity !== this.stockOf(sku)) this.product(sku).quantities.push(quantity)
  }

  sell(sale: Sale): void {
    const items = sale.items.map((item) => {
      this.#setStock(item.sku, this.stockOf(item.sku) - item.quantity)
      return { ...item, priceMinor: this.product(item.sku).priceMinor, shipped: 0, returned: 0 }
    })
    this.orders.set(sale.orderId, {
      ...sale,
      items,
      packages: 0,
      statuses: ['Unshipped'],
      isDelivered: false,
      isSolicited: false,
    })
  }

  cancel(order: LedgerOrder): void {
    order.statuses.push('Canceled')
    for (const { sku, quantity } of order.items) this.#setStock(sku, this.stockOf(sku) + quantity)
  }

  ship(order: LedgerOrder, pieces: readonly Pieces[]): void {
    for (const { item, quantity } of pieces) item.shipped += quantity
    order.packages++
    order.statuses.push(unshippedOf(order).length > 0 ? 'PartiallyShipped' : 'Shipped')
  }

  /** Refunds the price of the pieces. They are not sold again. */
  return({ item, quantity }: Pieces): void {
    item.returned += quantity
  }

  all = (): LedgerOrder[] => [...this.orders.values()]
  inStatus = (...statuses: OrderStatus[]): LedgerOrder[] =>
    this.all().filter((order) => statuses.includes(statusOf(order)))
  placedBetween = (from: number, to: number) => this.all().filter(({ placedAt }) => placedAt >= from && placedAt <= to)
}

export const statusOf = ({ statuses }: LedgerOrder): OrderStatus => statuses.at(-1) as OrderStatus

export const unshippedOf = ({ items }: LedgerOrder): Pieces[] =>
  items.map((item) => ({ item, quantity: item.quantity - item.shipped })).filter(({ quantity }) => quantity > 0)

/** Delivered pieces that are not returned yet. */
export const returnableOf = ({ items, isDelivered }: LedgerOrder): Pieces[] =>
  items
    .map((item) => ({ item, quantity: item.shipped - item.returned }))
    .filter(({ quantity }) => isDelivered && quantity > 0)

export const totalOf = ({ items }: LedgerOrder) => sum(items, ({ quantity, priceMinor }) => quantity * priceMinor)
export const shippedOf = ({ items }: LedgerOrder) => sum(items, ({ shipped }) => shipped)
export const returnedOf = ({ items }: LedgerOrder) => sum(items, ({ returned }) => returned)
export const refundOf = ({ items }: LedgerOrder) => sum(items, ({ returned, priceMinor }) => returned * priceMinor)

/** Five to thirty days after the promised delivery, once, unless the buyer opted out. */
export function isSolicitable(order: LedgerOrder, now: number): boolean {
  const { isDelivered, acceptsRequests, isSolicited, earliestDelivery, latestDelivery } = order
  if (!isDelivered || !acceptsRequests || isSolicited) return false
  return now >= earliestDelivery + 5 * DAY_MILLISECONDS && now <= latestDelivery + 30 * DAY_MILLISECONDS
}

export const sum = <Item>(items: readonly Item[], value: (item: Item) => number) =>
  items.reduce((total, item) => total + value(item), 0)

/** Money in minor units as text: 12.50 */
export const toAmount = (minor: number) => (minor / 100).toFixed(2)
