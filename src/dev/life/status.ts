import { type Static, Type } from 'typebox'
import { DateTime } from '../../marketplace/schema.ts'
import { LifeOptions } from './options.ts'

const Count = Type.Integer()

export const LifeStatus = Type.Object({
  isRunning: Type.Boolean(),
  startedAt: Type.Optional(DateTime),
  until: Type.Optional({ ...DateTime, description: 'The time up to which everything has happened' }),
  options: Type.Optional(LifeOptions),
  counts: Type.Object({
    orders: Count,
    cancellations: Count,
    shipments: Count,
    deliveries: Count,
    returns: Count,
    feedback: Count,
    restocks: Count,
    offerChanges: Type.Integer({ description: "Changes of competitors' offers" }),
  }),
})
export type LifeStatus = Static<typeof LifeStatus>
