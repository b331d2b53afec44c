import { expect } from 'vitest'
import type { Order } from '../../src/marketplace/trade/order.ts'
import { DAY, putResources, SellerClient, US } from './seller-client.ts'
import type { TestSouk } from './souk.ts'

export const V0 = '/orders/v0/orders'
export const V2026 = '/orders/2026-01-01/orders'

/** A SKU of the demo seller, with three pieces in stock. */
export const SKU = 'SOUK-SHOE-001'

/** An item of an order for the shoe. */
export const item = (quantity: number, overrides: object = {}) => ({
  orderItemId: '1',
  sku: SKU,
  asin: 'B0SOUK0001',
  title: 'Shoe',
  quantity,
  priceMinor: 8990,
  ...overrides,
})
const TOKENS = '/tokens/2021-03-01/restrictedDataToken'

/** A seller's client of orders. */
export class OrdersClient extends SellerClient {
  readonly sellerId: string
  #ordersMade = 0

  constructor(souk: TestSouk, refreshToken: string = souk.demo.refreshToken, sellerId: string = souk.demo.sellerId) {
    super(souk, refreshToken)
    this.sellerId = sellerId
  }

  /** An unshipped order of two items with the quantities 3 and 1, placed a day ago. */
  build(overrides: Partial<Order> = {}): Order {
    const item = { sku: SKU, asin: 'B0SOUK0001', title: 'Shoe' }
    return {
      sellerId: this.sellerId,
      orderId: `910-0000000-${String(++this.#ordersMade).padStart(7, '0')}`,
      marketplaceId: US,
      status: 'Unshipped',
      fulfillmentChannel: 'MFN',
      takesStock: false,
      purchasedAt: this.ago(DAY),
      updatedAt: this.ago(DAY),
      currencyCode: 'USD',
      items: [
        { ...item, orderItemId: '11', quantity: 3, priceMinor: 3000, taxMinor: 240, shippingPriceMinor: 500 },
        { ...item, orderItemId: '22', quantity: 1, priceMinor: 1000 },
      ],
      ...overrides,
    }
  }

  ago = (milliseconds: number) => new Date(this.souk.clock.now().getTime() - milliseconds).toISOString()

  /** Has the operator write an order. Returns its id. */
  async place(overrides: Partial<Order> = {}): Promise<string> {
    const order = this.build(overrides)
    await putResources(this.souk, 'orders', [order])
    return order.orderId
  }

  putOrders = (...orders: object[]) =>
    this.souk.put('/operator/v1/orders', { headers: this.souk.operator, payload: { orders } })

  /** The order as the operator sees it. */
  async stored(orderId: string): Promise<Order> {
    const path = `/operator/v1/orders/${this.sellerId}/${orderId}`
    const response = await this.souk.get(path, { headers: this.souk.operator })
    expect(response.statusCode, response.body).toBe(200)
    return response.json()
  }

  async body(path: string) {
    const response = await this.get(path)
    expect(response.statusCode, response.body).toBe(200)
    return response.json()
  }

  /** The order in version 0. */
  order = async (orderId: string) => (await this.body(`${V0}/${orderId}`)).payload

  list = async (query: string) => (await this.body(`${V0}?${query}`)).payload

  /** A restricted data token for one resource. */
  async restrictedToken(path: string, dataElements?: string[]): Promise<string> {
    const restrictedResources = [{ method: 'GET', path, ...(dataElements && { dataElements }) }]
    const response = await this.post(TOKENS, { restrictedResources })
    expect(response.statusCode, response.body).toBe(200)
    return response.json().restrictedDataToken
  }

  confirm = (orderId: string, overrides: object = {}, body: object = {}) =>
    this.post(`${V0}/${orderId}/shipmentConfirmation`, {
      marketplaceId: US,
      packageDetail: {
        packageReferenceId: '1',
        carrierCode: 'UPS',
        trackingNumber: '1Z50',
        shipDate: this.ago(3_600_000),
        orderItems: [{ orderItemId: '11', quantity: 2 }],
        ...overrides,
      },
      ...body,
    })

  /** The quantity of the listing. */
  async stock(sku = SKU): Promise<number> {
    const path = `/listings/2021-08-01/items/${this.sellerId}/${sku}?marketplaceIds=${US}&includedData=fulfillmentAvailability`
    return (await this.body(path)).fulfillmentAvailability[0].quantity
  }
}
