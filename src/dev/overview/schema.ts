import { type Static, Type } from 'typebox'
import { ClockState } from '../clock/routes.ts'

export const SALES_DAYS = 30
export const MAX_TOTAL = 100_000
export const MAX_SALES = 10_000

const Count = Type.Integer({ minimum: 0 })

export const Overview = Type.Object({
  clock: ClockState,
  activity: Type.Array(
    Type.Object({
      time: Type.String({ format: 'date-time', description: 'When the minute began, in real time' }),
      requests: Count,
      refused: Type.Integer({ minimum: 0, description: 'With a status of 400 to 499' }),
      failed: Type.Integer({ minimum: 0, description: 'With a status of 500 or more' }),
    }),
    {
      description:
        'Requests of clients in each of the last 60 minutes, oldest first. The control plane and pages are not counted.',
    },
  ),
  jobs: Type.Object(
    { waiting: Count, running: Count, givenUp: Count },
    { description: 'Background jobs by state, counted up to 10,000' },
  ),
  deliveries: Type.Object(
    { pending: Count, dead: Count },
    { description: 'Notifications that were not sent, by state, counted up to 10,000' },
  ),
  queue: Type.Object({ messages: Count }, { description: 'Messages in all local queues, counted up to 10,000' }),
  sales: Type.Array(
    Type.Object({
      date: Type.String({ description: 'A day of the marketplace, in UTC: 2026-06-01' }),
      orders: Count,
      revenue: Type.Array(Type.Object({ amount: Type.Number(), currencyCode: Type.String() }), {
        description: 'Prices of the items without tax and shipping, by currency',
      }),
    }),
    {
      description:
        'Orders of all sellers on the last 30 days, oldest first, without canceled ones. Fewer days if there are more than 10,000 orders.',
    },
  ),
  totals: Type.Object(
    { orders: Count, listings: Count },
    { description: 'Orders and listings of all sellers, counted up to 100,000' },
  ),
})
export type Overview = Static<typeof Overview>
