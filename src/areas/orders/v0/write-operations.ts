import type { Order, Package } from '../../../marketplace/trade/order.ts'
import { LOCKS_ORDERS, type OrderWriter } from '../../../marketplace/trade/order-writer.ts'
import { findPackages } from '../../../marketplace/trade/orders.ts'
import { findPackedItemContradiction } from '../../../marketplace/trade/packages.ts'
import {
  cancelOrder,
  findForeignFulfillment,
  type OrderFailure,
  shipOrder,
  shipPackage,
  shipTimeOf,
} from '../../../marketplace/trade/shipments.ts'
import type { SellerCaller } from '../../../platform/auth/caller.ts'
import { ApiError, invalidInput, invalidParameter } from '../../../platform/errors/api-error.ts'
import { requireOrder, requireOrderToChange } from '../require-order.ts'
import { type OrdersDependencies, requireRestrictedDataToken } from './operations.ts'
import type { GetOrderRegulatedInfoResponse } from './schema.ts'
import type { ConfirmShipmentBody, UpdateShipmentStatusBody, UpdateVerificationStatusBody } from './write-schema.ts'

export interface OrderWriteDependencies extends OrdersDependencies {
  orders: OrderWriter
}

export type OrdersV0WriteOperations = ReturnType<typeof createOrdersV0WriteOperations>

/**
 * Changes are dated after the order is locked: a request can wait for another one that changes the same order, and the times of
 * changes, by which notifications are sorted and clients look for changes, would then be in the wrong order.
 */
export function createOrdersV0WriteOperations({ database, clock, orders }: OrderWriteDependencies) {
  return {
    async confirmShipment(caller: SellerCaller, orderId: string, body: ConfirmShipmentBody): Promise<void> {
      const sent = parsePackage(body)
      await database.transact(async (tx) => {
        const { order, now } = await requireOrderToChange(tx, caller, orderId, clock)
        requireMarketplace(order, body.marketplaceId)
        const shippedAt = shipTimeOf(order, body.packageDetail.shipDate).toISOString()
        const result = shipPackage(order, await findPackages(tx, order), { ...sent, shippedAt }, now)
        if ('error' in result) throw refuse(result, 'packageDetail.orderItems')
        await orders.update(tx, [{ before: order, after: result.order, packages: [result.package] }], now)
      }, LOCKS_ORDERS)
    },

    async updateShipmentStatus(caller: SellerCaller, orderId: string, body: UpdateShipmentStatusBody): Promise<void> {
      refuseRepeatedItems('orderItems', body.orderItems ?? [])
      await database.transact(async (tx) => {
        const { order, now } = await requireOrderToChange(tx, caller, orderId, clock)
        requireMarketplace(order, body.marketplaceId)
        if (!order.isPickup)
          throw invalidInput('orderId', 'Only an order that is picked up in a store has this status.')
        const after = pickUp(order, body, now)
        if ('error' in after) throw refuse(after, 'orderItems')
        await orders.update(tx, [{ before: order, after }], now)
      }, LOCKS_ORDERS)
    },

    async getOrderRegulatedInfo(caller: SellerCaller, orderId: string): Promise<GetOrderRegulatedInfoResponse> {
      requireRestrictedDataToken(caller)
      const order = await database.read((reader) => requireOrder(reader, caller, orderId, clock.now()))
      return { payload: renderRegulatedInfo(order, requireRegulatedInfo(order)) }
    },

    async updateVerificationStatus(
      caller: SellerCaller,
      orderId: string,
      { regulatedOrderVerificationStatus: given }: UpdateVerificationStatusBody,
    ): Promise<void> {
      await database.transact(async (tx) => {
        const { order, now } = await requireOrderToChange(tx, caller, orderId, clock)
        const regulatedInfo = verify(requireRegulatedInfo(order), given, now)
        const after = { ...order, regulatedInfo, updatedAt: now.toISOString() }
        await orders.update(tx, [{ before: order, after }], now)
      }, LOCKS_ORDERS)
    },
  }
}

function parsePackage({ packageDetail: detail }: ConfirmShipmentBody): Omit<Package, 'shippedAt'> {
  if (detail.carrierCode === 'Other' && detail.carrierName === undefined) {
    throw invalidParameter('packageDetail.carrierName', 'is required if the carrierCode is Other')
  }
  const contradiction = findPackedItemContradiction(detail.orderItems)
  if (contradiction) throw invalidParameter(`packageDetail.orderItems${contradiction.field}`, contradiction.reason)
  return {
    packageReferenceId: detail.packageReferenceId,
    carrierCode: detail.carrierCode,
    ...(detail.carrierName !== undefined && { carrierName: detail.carrierName }),
    ...(detail.shippingMethod !== undefined && { shippingMethod: detail.shippingMethod }),
    trackingNumber: detail.trackingNumber,
    ...(detail.shipFromSupplySourceId !== undefined && { supplySourceId: detail.shipFromSupplySourceId }),
    items: detail.orderItems.map(({ orderItemId, quantity, transparencyCodes }) => ({
      orderItemId,
      quantity,
      ...(transparencyCodes && { transparencyCodes }),
    })),
  }
}

function refuseRepeatedItems(path: string, items: readonly { orderItemId: string }[]): void {
  const seen = new Set<string>()
  for (const [index, { orderItemId }] of items.entries()) {
    if (seen.has(orderItemId)) throw invalidParameter(`${path}[${index}].orderItemId`, 'is duplicated')
    seen.add(orderItemId)
  }
}

function requireMarketplace(order: Order, marketplaceId: string): void {
  if (order.marketplaceId === marketplaceId) return
  throw invalidParameter('marketplaceId', `must be the marketplace of the order: ${order.marketplaceId}`)
}

function refuse({ error, item, shipDate }: OrderFailure, path: string): ApiError {
  if (shipDate !== undefined) return invalidParameter('packageDetail.shipDate', shipDate)
  return invalidInput(item === undefined ? 'orderId' : `${path}[${item}]`, error)
}

/** A buyer who does not take an order cancels it. */
function pickUp(order: Order, { shipmentStatus, orderItems = [] }: UpdateShipmentStatusBody, now: Date) {
  const failure = findForeignFulfillment(order)
  if (failure) return failure
  const pickupStatus = shipmentStatus
  if (shipmentStatus === 'PickedUp') {
    const shipped = shipOrder(order, { items: orderItems, shippedAt: now }, now)
    return 'error' in shipped ? shipped : { ...shipped, pickupStatus }
  }
  if (shipmentStatus === 'RefusedPickup') {
    const isWhole = order.items.every(({ orderItemId, quantity }) =>
      orderItems.some((item) => item.orderItemId === orderItemId && item.quantity === quantity),
    )
    if (orderItems.length > 0 && !isWhole)
      return { error: 'A buyer can refuse a whole order only: leave orderItems out.' }
    const canceled = cancelOrder(order, { by: 'BUYER', reason: 'The buyer refused the pickup.' }, now)
    return 'error' in canceled ? canceled : { ...canceled, pickupStatus }
  }
  if (order.status !== 'Unshipped') return { error: `The order is ${order.status}.` }
  const unknown = orderItems.findIndex((one) => !order.items.some((item) => item.orderItemId === one.orderItemId))
  if (unknown !== -1) return { error: `The order has no item ${orderItems[unknown]?.orderItemId}.`, item: unknown }
  return { ...order, pickupStatus, updatedAt: now.toISOString() }
}

type RegulatedInfo = NonNullable<Order['regulatedInfo']>

function requireRegulatedInfo({ orderId, regulatedInfo }: Order): RegulatedInfo {
  if (regulatedInfo) return regulatedInfo
  throw new ApiError('NotFound', 'The order has no regulated information.', `Order ${orderId} has no regulated items.`)
}

function verify(
  info: RegulatedInfo,
  given: UpdateVerificationStatusBody['regulatedOrderVerificationStatus'],
  now: Date,
): RegulatedInfo {
  const path = 'regulatedOrderVerificationStatus'
  const { status = 'Pending', rejectionReasonId } = given
  if (status === 'Expired' || status === 'Cancelled') {
    throw invalidParameter(`${path}.status`, 'must be Pending, Approved or Rejected')
  }
  const { status: before = 'Pending' } = info
  if (before !== 'Pending') throw invalidParameter(`${path}.status`, `cannot change: it is ${before}`)
  const isKnown = info.rejectionReasons?.some(({ id }) => id === rejectionReasonId) ?? false
  if (status === 'Rejected' && !isKnown) {
    throw invalidParameter(`${path}.rejectionReasonId`, 'must be one of the valid rejection reasons of the order')
  }
  if (status !== 'Rejected' && rejectionReasonId !== undefined) {
    throw invalidParameter(`${path}.rejectionReasonId`, 'requires the status Rejected')
  }
  return {
    ...info,
    status,
    reviewerId: given.externalReviewerId,
    ...(rejectionReasonId !== undefined && { rejectionReasonId }),
    ...(status !== 'Pending' && { reviewedAt: now.toISOString() }),
  }
}

function renderRegulatedInfo({ orderId }: Order, info: RegulatedInfo): GetOrderRegulatedInfoResponse['payload'] {
  const { status = 'Pending', rejectionReasons = [] } = info
  const reasons = rejectionReasons.map(({ id, description }) => ({
    RejectionReasonId: id,
    RejectionReasonDescription: description,
  }))
  const rejection = reasons.find((reason) => reason.RejectionReasonId === info.rejectionReasonId)
  return {
    AmazonOrderId: orderId,
    RegulatedInformation: {
      Fields: info.fields.map(({ id, label, type, value }) => ({
        FieldId: id,
        FieldLabel: label,
        FieldType: type,
        FieldValue: value,
      })),
    },
    RequiresDosageLabel: info.requiresDosageLabel ?? false,
    RegulatedOrderVerificationStatus: {
      Status: status,
      RequiresMerchantAction: status === 'Pending',
      ValidRejectionReasons: reasons,
      ...(rejection && { RejectionReason: rejection }),
      ...(info.reviewedAt !== undefined && { ReviewDate: info.reviewedAt }),
      ...(info.reviewerId !== undefined && { ExternalReviewerId: info.reviewerId }),
    },
  }
}
