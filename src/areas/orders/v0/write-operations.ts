import type { Order, Package } from '../../../marketplace/trade/order.ts'
import { LOCKS_ORDERS, type OrderWriter } from '../../../marketplace/trade/order-writer.ts'
import { findPackages } from '../../../marketplace/trade/orders.ts'
import { findPackedItemContradiction } from '../../../marketplace/trade/packages.ts'
import {
  cancelOrder,
  findForeignFulfillment,
  noSuchItem,
  type OrderFailure,
  shipOrder,
  shipPackage,
  shipTimeOf,
} from '../../../marketplace/trade/shipments.ts'
import type { SellerCaller } from '../../../platform/auth/caller.ts'
import { ApiError, invalidInput, invalidParameter } from '../../../platform/errors/api-error.ts'
import { neverPasses, withFields, withNearestOf, withoutFields } from '../../../platform/errors/explanation.ts'
import { requireOrder, requireOrderToChange } from '../require-order.ts'
import { type OrdersDependencies, requireRestrictedDataToken } from './operations.ts'
import type { GetOrderRegulatedInfoResponse } from './schema.ts'
import type { ConfirmShipmentBody, UpdateShipmentStatusBody, UpdateVerificationStatusBody } from './write-schema.ts'

export interface OrderWriteDependencies extends OrdersDependencies {
  orders: OrderWriter
}

export type OrdersV0WriteOperations = ReturnType<typeof createOrdersV0WriteOperations>

/**
 * Changes are dated after the order is locked: a request can wait for another one that changes the same order, and the
 * times of changes, by which notifications are sorted and clients look for changes, would then be in the wrong order.
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
        if ('error' in result) throw refuse(order, result, 'packageDetail.orderItems')
        await orders.update(tx, [{ before: order, after: result.order, packages: [result.package] }], now)
      }, LOCKS_ORDERS)
    },

    async updateShipmentStatus(caller: SellerCaller, orderId: string, body: UpdateShipmentStatusBody): Promise<void> {
      refuseRepeatedItems('orderItems', body.orderItems ?? [])
      await database.transact(async (tx) => {
        const { order, now } = await requireOrderToChange(tx, caller, orderId, clock)
        requireMarketplace(order, body.marketplaceId)
        if (!order.isPickup)
          throw invalidInput(
            'orderId',
            'Only an order that is picked up in a store has this status.',
            neverPasses('Send it for an order that is picked up in a store.', { orderId, isPickup: false }),
          )
        const after = pickUp(order, body, now)
        if ('error' in after) throw refuse(order, after, 'orderItems')
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
    throw invalidParameter(
      'packageDetail.carrierName',
      'is required if the carrierCode is Other',
      withFields({ 'packageDetail.carrierName': '<the name of the carrier>' }),
    )
  }
  const contradiction = findPackedItemContradiction(detail.orderItems)
  if (contradiction) {
    const path = `packageDetail.orderItems${contradiction.field}`
    throw invalidParameter(path, contradiction.reason, withoutFields(path.replace(/\.orderItemId$/, '')))
  }
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
    if (seen.has(orderItemId)) {
      const place = `${path}[${index}]`
      throw invalidParameter(`${place}.orderItemId`, 'is duplicated', withoutFields(place))
    }
    seen.add(orderItemId)
  }
}

function requireMarketplace(order: Order, marketplaceId: string): void {
  if (order.marketplaceId === marketplaceId) return
  const fields = { marketplaceId: order.marketplaceId }
  throw invalidParameter(
    'marketplaceId',
    `must be the marketplace of the order: ${order.marketplaceId}`,
    withFields(fields),
  )
}

function refuse({ status, items }: Order, { error, item, shipDate, nearest }: OrderFailure, path: string): ApiError {
  if (shipDate !== undefined) {
    const place = 'packageDetail.shipDate'
    return invalidParameter(place, shipDate, withFields({ [place]: nearest?.shipDate }))
  }
  const place = item === undefined ? 'orderId' : `${path}[${item}]`
  return invalidInput(place, error, () => {
    const facts = { status, items: items.map(toItemFacts) }
    const fields = Object.entries(nearest ?? {}).map(([name, value]) => [`${place}.${name}`, value])
    if (fields.length > 0) return { facts, change: { fields: Object.fromEntries(fields) } }
    return { facts, noNearest: `The order does not allow it: ${error}` }
  })
}

const toItemFacts = ({ orderItemId, quantity, quantityShipped = 0 }: Order['items'][number]) => ({
  orderItemId,
  quantity,
  quantityShipped,
})

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
  if (unknown !== -1) return noSuchItem(order, orderItems[unknown]?.orderItemId ?? '', unknown)
  return { ...order, pickupStatus, updatedAt: now.toISOString() }
}

type RegulatedInfo = NonNullable<Order['regulatedInfo']>

function requireRegulatedInfo({ orderId, regulatedInfo }: Order): RegulatedInfo {
  if (regulatedInfo) return regulatedInfo
  const details = `Order ${orderId} has no regulated items.`
  throw new ApiError('NotFound', 'The order has no regulated information.', details, {
    explain: neverPasses('Send it for an order with regulated items.', { orderId, regulatedInfo: null }),
  })
}

function verify(
  info: RegulatedInfo,
  given: UpdateVerificationStatusBody['regulatedOrderVerificationStatus'],
  now: Date,
): RegulatedInfo {
  const path = 'regulatedOrderVerificationStatus'
  const { status = 'Pending', rejectionReasonId } = given
  if (status === 'Expired' || status === 'Cancelled') {
    const reason = 'must be Pending, Approved or Rejected'
    throw invalidParameter(`${path}.status`, reason, withFields({ [`${path}.status`]: 'Approved' }))
  }
  const { status: before = 'Pending' } = info
  if (before !== 'Pending') {
    const explain = neverPasses('A status that is not Pending is final.', { status: before })
    throw invalidParameter(`${path}.status`, `cannot change: it is ${before}`, explain)
  }
  const isKnown = info.rejectionReasons?.some(({ id }) => id === rejectionReasonId) ?? false
  if (status === 'Rejected' && !isKnown) {
    const place = `${path}.rejectionReasonId`
    const known = info.rejectionReasons?.map(({ id }) => id) ?? []
    const explain =
      known.length > 0
        ? withNearestOf(place, rejectionReasonId ?? '', known)
        : neverPasses('The order has no rejection reasons, so it cannot be rejected.', { rejectionReasons: known })
    throw invalidParameter(place, 'must be one of the valid rejection reasons of the order', explain)
  }
  if (status !== 'Rejected' && rejectionReasonId !== undefined) {
    const place = `${path}.rejectionReasonId`
    throw invalidParameter(place, 'requires the status Rejected', withoutFields(place))
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
