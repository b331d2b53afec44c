import { expect, test } from 'vitest'
import { createOrdersV0WriteOperations } from '../../../src/areas/orders/v0/write-operations.ts'
import type { OrderWriter } from '../../../src/marketplace/trade/order-writer.ts'
import type { SellerCaller } from '../../../src/platform/auth/caller.ts'
import { intercept } from '../../support/jobs.ts'
import { OrdersClient } from '../../support/order-client.ts'
import { MINUTE, US } from '../../support/seller-client.ts'
import { startWatchedSouk } from '../../support/watched-souk.ts'

test('a shipment that waited for another change of the order has a later time than that change', async () => {
  const { souk, database } = await startWatchedSouk()
  const { clock } = souk
  const client = new OrdersClient(souk)
  const orderId = await client.place()
  const arrivedAt = clock.now()
  const times: Date[] = []
  const orders = { update: async (_tx, _changes, now) => void times.push(now) } as Pick<OrderWriter, 'update'>
  const operations = createOrdersV0WriteOperations({
    database: intercept(database, 'transact', (work) => {
      clock.advance(MINUTE)
      return work()
    }),
    clock,
    orders: orders as OrderWriter,
  })
  await operations.confirmShipment({ sellerId: client.sellerId } as SellerCaller, orderId, {
    marketplaceId: US,
    packageDetail: {
      packageReferenceId: '1',
      carrierCode: 'UPS',
      trackingNumber: '1Z',
      shipDate: arrivedAt.toISOString(),
      orderItems: [{ orderItemId: '11', quantity: 1 }],
    },
  })
  expect(times).toEqual([new Date(arrivedAt.getTime() + MINUTE)])
})
