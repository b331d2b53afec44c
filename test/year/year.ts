import { expect } from 'vitest'
import { newShoe, priceOf } from '../support/listings.ts'
import { seededRandom } from '../support/random-expressions.ts'
import { DAY, HOUR } from '../support/seller-client.ts'
import type { TestSouk } from '../support/souk.ts'
import { isSolicitable, Ledger, type LedgerOrder, returnableOf, toAmount, unshippedOf } from './ledger.ts'
import type { SdkSeller } from './sdk-seller.ts'

interface Promised {
  earliestDeliveryAt: string
  latestDeliveryAt: string
}
type PlacedOrder = Awaited<ReturnType<TestSouk['buyer']['order']>>

export const PRODUCTS = 4
const RESTOCK_WEEKS = 4
const FULL_SHELF = 14

/**
 * Plays a seller's year, week by week: the seller acts through the SDK, everybody else by acts. The ledger records what
 * should have happened. The same seed plays the same year.
 */
export class Year {
  readonly ledger = new Ledger()
  readonly startedAt: number
  /** Prices of the competitor of each product. */
  readonly competitors = new Map<string, number>()
  feeds = 0
  reports = 0
  readonly #souk: TestSouk
  readonly #seller: SdkSeller
  readonly #random: () => number
  #monthStart: number

  constructor(souk: TestSouk, seller: SdkSeller, seed: number) {
    this.#souk = souk
    this.#seller = seller
    this.#random = seededRandom(seed)
    this.startedAt = souk.clock.now().getTime()
    this.#monthStart = this.startedAt
  }

  get now(): number {
    return this.#souk.clock.now().getTime()
  }
  #below = (limit: number) => Math.floor(this.#random() * limit)
  #happens = (probability: number) => this.#random() < probability
  #pick = <Item>(items: readonly Item[]) => items[this.#below(items.length)] as Item

  /** Lists the products by a feed. A competitor joins each of them. */
  async open(): Promise<void> {
    const skus = Array.from({ length: PRODUCTS }, (_, index) => `YEAR-${index + 1}`)
    const messages = skus.map((sku, index) => ({
      messageId: index + 1,
      sku,
      operationType: 'UPDATE',
      productType: 'SHOES',
      requirements: 'LISTING',
      attributes: newShoe({
        item_name: [{ value: `Boot ${index + 1}` }],
        purchasable_offer: [{ currency: 'USD', our_price: priceOf(60 + index * 10) }],
        fulfillment_availability: [{ fulfillment_channel_code: 'DEFAULT', quantity: FULL_SHELF }],
      }),
    }))
    expect(await this.#feed(messages)).toMatchObject({ messagesAccepted: PRODUCTS, errors: 0 })
    for (const [index, sku] of skus.entries()) {
      const { asin } = await this.#seller.item(sku)
      const priceMinor = (60 + index * 10) * 100
      this.ledger.list({ sku, asin, priceMinor }, FULL_SHELF)
      this.competitors.set(asin, priceMinor + 200)
      await this.#souk.competitor.join({ asin, sellerId: 'ZCOMPETITOR', price: (priceMinor + 200) / 100 })
    }
  }

  async week(number: number): Promise<void> {
    for (let day = 0; day < 7; day++) {
      this.#souk.clock.advance(DAY - HOUR)
      if (this.#happens(0.45)) await this.#sell()
      this.#souk.clock.advance(HOUR)
    }
    await this.#cancelSome()
    await this.#ship()
    await this.#deliver()
    await this.#returnSome()
    await this.#rateSome()
    await this.#requestReviews()
    await this.#competeAndReprice()
    if (number % RESTOCK_WEEKS === 0) {
      await this.#closeMonth()
      await this.#restock()
    }
    await this.#souk.idle()
  }

  async #feed(messages: object[]): Promise<Record<string, number>> {
    this.feeds++
    return this.#seller.listingsFeed(messages)
  }

  async #report(type: string, period: { from: number; to: number }) {
    this.reports++
    return this.#seller.report(type, period)
  }

  /** A buyer orders pieces of one product or of two. */
  async #sell(): Promise<void> {
    const all = [...this.ledger.products.keys()]
    const skus = [...new Set(this.#happens(0.25) ? [this.#pick(all), this.#pick(all)] : [this.#pick(all)])]
    const items = skus.map((sku) => ({ sku, quantity: 1 + this.#below(3) }))
    const acceptsRequests = !this.#happens(0.15)
    const wishes = { sellerId: this.#seller.sellerId, items, buyerAcceptsRequests: acceptsRequests }
    if (items.some(({ sku, quantity }) => quantity > this.ledger.stockOf(sku))) {
      await expect(this.#souk.buyer.order(wishes)).rejects.toThrow()
      this.ledger.lostSales++
      return
    }
    const order = (await this.#souk.buyer.order(wishes)) as PlacedOrder & Promised
    this.ledger.sell({
      orderId: order.orderId,
      items: order.items.map(({ orderItemId, sku, quantity }) => ({ orderItemId, sku, quantity })),
      acceptsRequests,
      placedAt: this.now,
      earliestDelivery: Date.parse(order.earliestDeliveryAt),
      latestDelivery: Date.parse(order.latestDeliveryAt),
    })
  }

  #reference = ({ orderId }: LedgerOrder) => ({ orderId, sellerId: this.#seller.sellerId })

  /** Buyers cancel by an act, the seller by a feed. */
  async #cancelSome(): Promise<void> {
    const failed: LedgerOrder[] = []
    for (const order of this.ledger.inStatus('Unshipped')) {
      if (!this.#happens(0.12)) continue
      if (this.#happens(0.4)) failed.push(order)
      else await this.#souk.buyer.cancel(this.#reference(order))
      this.ledger.cancel(order)
    }
    if (failed.length === 0) return
    this.feeds++
    const messages = failed.map(
      ({ orderId }) => `<AmazonOrderID>${orderId}</AmazonOrderID><StatusCode>Failure</StatusCode>`,
    )
    expect(await this.#seller.orderFeed('OrderAcknowledgement', messages)).toBe(failed.length)
  }

  /** Ships what the orders API lists: in some weeks by a feed, in others in packages, of which one may have to wait. */
  async #ship(): Promise<void> {
    const listed = await this.#seller.orders(this.startedAt, ['Unshipped', 'PartiallyShipped'])
    const open = this.ledger.inStatus('Unshipped', 'PartiallyShipped')
    expect(listed.map(({ amazonOrderId }) => amazonOrderId).sort()).toEqual(open.map(({ orderId }) => orderId).sort())
    if (open.length > 0 && this.#happens(0.2)) return this.#shipByFeed(open)
    for (const order of open) {
      const left = unshippedOf(order)
      const [first] = left
      const isSplit = order.packages === 0 && order.items.length + (first?.quantity ?? 0) > 2 && this.#happens(0.3)
      const pieces = isSplit && first ? [{ ...first, quantity: 1 }] : left
      const orderItems = pieces.map(({ item, quantity }) => ({ orderItemId: item.orderItemId, quantity }))
      await this.#seller.ship(order.orderId, String(order.packages + 1), orderItems)
      this.ledger.ship(order, pieces)
    }
  }

  async #shipByFeed(orders: readonly LedgerOrder[]): Promise<void> {
    this.feeds++
    const messages = orders.map(({ orderId }) => `<AmazonOrderID>${orderId}</AmazonOrderID>`)
    expect(await this.#seller.orderFeed('OrderFulfillment', messages)).toBe(orders.length)
    for (const order of orders) this.ledger.ship(order, unshippedOf(order))
  }

  async #deliver(): Promise<void> {
    for (const order of this.ledger.inStatus('Shipped')) {
      if (order.isDelivered || !this.#happens(0.7)) continue
      await this.#souk.carrier.deliver(this.#reference(order))
      order.isDelivered = true
    }
  }

  async #returnSome(): Promise<void> {
    for (const order of this.ledger.all()) {
      const returnable = returnableOf(order)
      if (returnable.length === 0 || !this.#happens(0.03)) continue
      const { item, quantity: most } = this.#pick(returnable)
      const quantity = 1 + this.#below(most)
      await this.#souk.buyer.return(this.#reference(order), { items: [{ orderItemId: item.orderItemId, quantity }] })
      this.ledger.return({ item, quantity })
    }
  }

  async #rateSome(): Promise<void> {
    for (const order of this.ledger.all()) {
      if (!order.isDelivered || !this.#happens(0.02)) continue
      const rating = 1 + this.#below(5)
      await this.#souk.buyer.leaveFeedback(this.#reference(order), { rating, comment: 'As described' })
      order.rating = rating
    }
  }

  /** Requests a review for every order that allows it, and checks that some others do not. */
  async #requestReviews(): Promise<void> {
    const others = this.ledger.all().filter((order) => !isSolicitable(order, this.now))
    const solicitable = this.ledger.all().filter((order) => isSolicitable(order, this.now))
    for (const order of [...solicitable, ...(others.length > 0 ? [this.#pick(others)] : [])]) {
      const expected = isSolicitable(order, this.now)
      expect(await this.#seller.canSolicit(order.orderId), order.orderId).toBe(expected)
      if (!expected) continue
      await this.#seller.solicit(order.orderId)
      order.isSolicited = true
      expect(await this.#seller.canSolicit(order.orderId)).toBe(false)
    }
  }

  /** A competitor changes its price, and the seller follows by the expected price. */
  async #competeAndReprice(): Promise<void> {
    const { asin } = this.#pick([...this.ledger.products.values()])
    const price = Math.round((this.competitors.get(asin) ?? 0) * (0.97 + this.#random() * 0.06))
    await this.#souk.competitor.setPrice({ asin, sellerId: 'ZCOMPETITOR', price: price / 100 })
    this.competitors.set(asin, price)

    const products = [...this.ledger.products.values()]
    const expected = await this.#seller.expectedPrices(products.map(({ sku }) => sku))
    for (const product of products) {
      const { status, amount = 0 } = expected.get(product.sku) ?? { status: '' }
      if (this.ledger.stockOf(product.sku) === 0) {
        expect(status, product.sku).toBe('OFFER_NOT_FOUND')
        continue
      }
      expect(status, product.sku).toBe('VALID_FOEP')
      // Equal prices: the seller id decides, and the competitor's is the last.
      expect(toAmount(amount * 100), product.sku).toBe(toAmount(this.competitors.get(product.asin) ?? 0))
      const priceMinor = Math.round(amount * 100)
      if (priceMinor === product.priceMinor) continue
      await this.#seller.setPrice(product.sku, toAmount(priceMinor))
      product.priceMinor = priceMinor
    }
    const featured = await this.#seller.featuredSellers(products.map((product) => product.asin))
    for (const { sku, asin } of products) {
      const winner = this.ledger.stockOf(sku) > 0 ? this.#seller.sellerId : 'ZCOMPETITOR'
      expect(featured.get(asin), sku).toBe(winner)
    }
  }

  /** The orders report of the month has the orders of the ledger. */
  async #closeMonth(): Promise<void> {
    const period = { from: this.#monthStart, to: this.now }
    this.#monthStart = this.now + 1
    const rows = await this.#report('GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL', period)
    const items = this.ledger
      .placedBetween(period.from, period.to)
      .flatMap((order) =>
        order.items.map(({ sku, quantity, priceMinor }) => [
          order.orderId,
          sku,
          quantity,
          toAmount(priceMinor * quantity),
        ]),
      )
    const reported = rows.map((row) => [row['amazon-order-id'], row.sku, Number(row.quantity), row['item-price']])
    expect(reported.map(String).sort()).toEqual(items.map(String).sort())
  }

  /** Fills the shelves: one product by a patch, the others by a feed. */
  async #restock(): Promise<void> {
    const low = [...this.ledger.products.keys()].filter((sku) => this.ledger.stockOf(sku) < FULL_SHELF / 2)
    const [first, ...others] = low
    if (first === undefined) return
    await this.#seller.setQuantity(first, FULL_SHELF)
    this.ledger.restock(first, FULL_SHELF)
    if (others.length === 0) return
    const value = [{ fulfillment_channel_code: 'DEFAULT', quantity: FULL_SHELF }]
    const patches = [{ op: 'replace', path: '/attributes/fulfillment_availability', value }]
    const messages = others.map((sku, index) => ({
      messageId: index + 1,
      sku,
      operationType: 'PATCH',
      productType: 'SHOES',
      patches,
    }))
    expect(await this.#feed(messages)).toMatchObject({ messagesAccepted: others.length, errors: 0 })
    for (const sku of others) this.ledger.restock(sku, FULL_SHELF)
  }

  /** At the end: everything over the whole year. */
  async reportOfYear(type: string) {
    return this.#report(type, { from: this.startedAt, to: this.now })
  }
}
