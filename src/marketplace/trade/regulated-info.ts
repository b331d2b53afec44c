import { type Static, Type } from 'typebox'
import { DateTime, Name, strict } from '../schema.ts'

export const VERIFICATION_STATUSES = ['Pending', 'Approved', 'Rejected', 'Expired', 'Cancelled'] as const

const RejectionReason = Type.Object({ id: Name, description: Name }, strict)

/** What the buyer of a regulated product had to state, and whether the seller has verified it. */
export const RegulatedInfo = Type.Object(
  {
    fields: Type.Array(
      Type.Object(
        {
          id: Name,
          label: Name,
          type: Type.Enum(['Text', 'FileAttachment']),
          value: Type.String({ maxLength: 2000 }),
        },
        strict,
      ),
      { maxItems: 100 },
    ),
    requiresDosageLabel: Type.Optional(Type.Boolean({ description: 'Default: false' })),
    rejectionReasons: Type.Optional(Type.Array(RejectionReason, { maxItems: 50 })),
    status: Type.Optional(Type.Enum(VERIFICATION_STATUSES, { description: 'Default: Pending' })),
    rejectionReasonId: Type.Optional(Name),
    reviewerId: Type.Optional(Name),
    reviewedAt: Type.Optional(DateTime),
  },
  strict,
)
export type RegulatedInfo = Static<typeof RegulatedInfo>
