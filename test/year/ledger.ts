export type OrderStatus = 'Unshipped' | 'PartiallyShipped' | 'Shipped' | 'Canceled'

export interface LedgerOrder {
  orderId: string
  orderItemId: string
  sku: string
  quantity: number
  /** Of all pieces. */
  priceMinor: number
  placedAt: number
  /** Promised. */
  earliestDelivery: number
  latestDelivery: number
  acceptsRequests: boolean
  shipped: number
  /** Every status in turn, as subscribers see them. */
  statuses: OrderStatus[]
  isDelivered: boolean
  returned: number
  refundMinor: number
  rating?: number
  isSolicited: boolean
}

export interface Product {
  sku: string
  asin: string
  priceMinor: number
  /** Each quantity in turn. The last one is the stock. */
  quantities: number[]
  /** Pieces that the seller put on the shelf. */
  stocked: number
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

  sell(
    order: Pick<
      LedgerOrder,
      'orderId' | 'orderItemId' | 'sku' | 'quantity' | 'placedAt' | 'earliestDelivery' | 'latestDelivery'
    > & { acceptsRequests: boolean },
  ): void {
    const { sku, quantity } = order
    this.#setStock(sku, this.stockOf(sku) - quantity)
    this.orders.set(order.orderId, {
      ...order,
      priceMinor: this.product(sku).priceMinor * quantity,
      shipped: 0,
      statuses: ['Unshipped'],
      isDelivered: false,
      returned: 0,
      refundMinor: 0,
      isSolicited: false,
    })
  }

  cancel(order: LedgerOrder): void {
    order.statuses.push('Canceled')
    this.#setStock(order.sku, this.stockOf(order.sku) + order.quantity)
  }

  ship(order: LedgerOrder, pieces: number): void {
    order.shipped += pieces
    order.statuses.push(order.shipped < order.quantity ? 'PartiallyShipped' : 'Shipped')
  }

  /** Refunds the price of the pieces. Returned pieces are not sold again. */
  return(order: LedgerOrder, pieces: number): void {
    order.returned += pieces
    order.refundMinor += (order.priceMinor / order.quantity) * pieces
  }

  inStatus = (status: OrderStatus): LedgerOrder[] => this.all().filter((order) => statusOf(order) === status)
  all = (): LedgerOrder[] => [...this.orders.values()]
  placedBetween = (from: number, to: number) => this.all().filter(({ placedAt }) => placedAt >= from && placedAt <= to)
}

export const statusOf = ({ statuses }: LedgerOrder): OrderStatus => statuses.at(-1) as OrderStatus

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
