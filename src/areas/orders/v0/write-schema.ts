import { type Static, Type } from 'typebox'
import { MarketplaceId } from '../../../marketplace/schema.ts'
import { PackageReferenceId, PICKUP_STATUSES, TransparencyCodes } from '../../../marketplace/trade/order.ts'
import { VERIFICATION_STATUSES } from '../../../marketplace/trade/regulated-info.ts'

const text = (maxLength = 500) => Type.String({ minLength: 1, maxLength })
const ShippedQuantity = Type.Integer({ minimum: 1, maximum: 1_000_000 })

export const ConfirmShipmentBody = Type.Object({
  marketplaceId: MarketplaceId,
  codCollectionMethod: Type.Optional(Type.Enum(['DirectPayment'], { description: 'Has no effect' })),
  packageDetail: Type.Object({
    packageReferenceId: PackageReferenceId,
    carrierCode: text(),
    carrierName: Type.Optional(text()),
    shippingMethod: Type.Optional(text()),
    trackingNumber: text(),
    shipDate: Type.String({ format: 'date-time' }),
    shipFromSupplySourceId: Type.Optional(text()),
    orderItems: Type.Array(
      Type.Object({
        orderItemId: text(100),
        quantity: ShippedQuantity,
        transparencyCodes: Type.Optional(TransparencyCodes),
      }),
      { minItems: 1, maxItems: 100 },
    ),
  }),
})
export type ConfirmShipmentBody = Static<typeof ConfirmShipmentBody>

export const UpdateShipmentStatusBody = Type.Object({
  marketplaceId: MarketplaceId,
  shipmentStatus: Type.Enum(PICKUP_STATUSES),
  orderItems: Type.Optional(
    Type.Array(Type.Object({ orderItemId: text(100), quantity: ShippedQuantity }), { minItems: 1, maxItems: 100 }),
  ),
})
export type UpdateShipmentStatusBody = Static<typeof UpdateShipmentStatusBody>

const Count = Type.Integer({ minimum: 0, maximum: 1_000_000 })

// Validated, but not stored: nothing returns them.
const VerificationDetails = Type.Object({
  prescriptionDetail: Type.Optional(
    Type.Object({
      prescriptionId: text(),
      expirationDate: Type.String({ format: 'date-time' }),
      writtenQuantity: { ...Count, minimum: 1 },
      totalRefillsAuthorized: Count,
      refillsRemaining: Count,
      clinicId: text(),
      usageInstructions: text(5000),
    }),
  ),
  approvedAlternativeDetails: Type.Optional(
    Type.Array(Type.Object({ attributeName: text(), originalValue: text(), approvedValue: text() }), { maxItems: 100 }),
  ),
  interimStatusDetail: Type.Optional(
    Type.Object({ statusCode: text(), statusDateTime: Type.String({ format: 'date-time' }) }),
  ),
})

export const UpdateVerificationStatusBody = Type.Object({
  regulatedOrderVerificationStatus: Type.Object({
    status: Type.Optional(Type.Enum(VERIFICATION_STATUSES)),
    externalReviewerId: text(),
    rejectionReasonId: Type.Optional(text()),
    verificationDetails: Type.Optional(VerificationDetails),
  }),
})
export type UpdateVerificationStatusBody = Static<typeof UpdateVerificationStatusBody>
