import type { Reader, Transaction } from '../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../platform/database/query.ts'
import { isAtOrBefore } from '../../platform/database/tuples.ts'
import type { LifeRules } from './options.ts'
import { Random } from './random.ts'
import type { LifeTables } from './tables.ts'

export const ACTS = ['CANCEL', 'SHIP', 'DELIVER', 'RETURN', 'RATE', 'RESTOCK'] as const
export type ActName = (typeof ACTS)[number]

/** What will happen to an order or a listing. */
export interface Plan {
  dueAt: Date
  /** Sorts plans of the same time. */
  planId: string
  act: ActName
  sellerId: string
  /** The id of an order, or the marketplace, product and SKU of a listing. */
  subject: string
}

const db = queryBuilder<LifeTables>()

const insert = prepare((row: LifeTables['life_plans']) => db.insertInto('life_plans').values({ ...row }))

const due = prepare((params: { until: string; limit: number }) =>
  db
    .selectFrom('life_plans')
    .selectAll()
    .where('due_at', '<=', params.until)
    .orderBy('due_at')
    .orderBy('plan_id')
    .limit(params.limit),
)

const removeUntil = prepare((params: { dueAt: string; planId: string }) =>
  db.deleteFrom('life_plans').where(isAtOrBefore(['due_at', 'plan_id'], [params.dueAt, params.planId])),
)

export async function addPlans(tx: Transaction, plans: readonly Plan[]): Promise<void> {
  if (plans.length === 0) return
  await tx.runEach(
    insert,
    plans.map(({ dueAt, planId, act, sellerId, subject }) => ({
      due_at: dueAt.toISOString(),
      plan_id: planId,
      act,
      seller_id: sellerId,
      subject,
    })),
  )
}

/** Removes and returns the earliest plans that are due. */
export async function takeDuePlans(tx: Transaction, now: Date, limit: number): Promise<Plan[]> {
  const rows = await tx.all(due, { until: now.toISOString(), limit })
  const last = rows.at(-1)
  if (!last) return []
  await tx.run(removeUntil, { dueAt: last.due_at, planId: last.plan_id })
  return rows.map(fromRow)
}

const fromRow = (row: LifeTables['life_plans']): Plan => ({
  dueAt: new Date(row.due_at),
  planId: row.plan_id,
  act: row.act as ActName,
  sellerId: row.seller_id,
  subject: row.subject,
})

const first = prepare((params: { limit: number }) =>
  db.selectFrom('life_plans').selectAll().orderBy('due_at').orderBy('plan_id').limit(params.limit),
)

export async function findFirstPlans(reader: Reader, limit: number): Promise<Plan[]> {
  return (await reader.all(first, { limit })).map(fromRow)
}

export async function clearPlans(tx: Transaction): Promise<void> {
  await tx.run(db.deleteFrom('life_plans'))
}

const HOUR_MILLISECONDS = 60 * 60 * 1000
const DAY_MILLISECONDS = 24 * HOUR_MILLISECONDS
const POSTPONED_HOURS = 6

const CANCEL_HOURS = { min: 0.1, max: 2 }
const SHIP_HOURS = { min: 2, max: 30 }
const RETURN_DAYS = { min: 0.5, max: 10 }
const RATE_DAYS = { min: 0.1, max: 4 }

const within = (random: Random, { min, max }: { min: number; max: number }, unit: number) =>
  Math.round(random.between(min, Math.max(min, max)) * unit)

export interface PlannedOrder {
  sellerId: string
  orderId: string
  fulfillmentChannel: 'AFN' | 'MFN'
}

/** Decides what will happen to orders. The same for the same seed and order. */
export function createPlanner(rules: LifeRules) {
  const { seed, cancelRate, returnRate, feedbackRate, deliveryDays, shipsForSellers } = rules

  const plan = (act: ActName, { sellerId, orderId }: Omit<PlannedOrder, 'fulfillmentChannel'>, at: number): Plan => ({
    dueAt: new Date(at),
    planId: `${orderId}-${ACTS.indexOf(act)}`,
    act,
    sellerId,
    subject: orderId,
  })

  return {
    afterPurchase(order: PlannedOrder, now: Date): Plan {
      const random = Random.of(seed, 'purchase', order.orderId)
      if (random.chance(cancelRate)) {
        return plan('CANCEL', order, now.getTime() + within(random, CANCEL_HOURS, HOUR_MILLISECONDS))
      }
      const shipAt = now.getTime() + within(random, SHIP_HOURS, HOUR_MILLISECONDS)
      if (order.fulfillmentChannel === 'AFN' || shipsForSellers) return plan('SHIP', order, shipAt)
      return plan('DELIVER', order, shipAt + within(random, deliveryDays, DAY_MILLISECONDS))
    },

    afterShipment(order: Omit<PlannedOrder, 'fulfillmentChannel'>, now: Date): Plan {
      const random = Random.of(seed, 'shipment', order.orderId)
      return plan('DELIVER', order, now.getTime() + within(random, deliveryDays, DAY_MILLISECONDS))
    },

    afterDelivery(order: Omit<PlannedOrder, 'fulfillmentChannel'>, now: Date): Plan[] {
      const random = Random.of(seed, 'delivery', order.orderId)
      const plans: Plan[] = []
      if (random.chance(returnRate)) {
        plans.push(plan('RETURN', order, now.getTime() + within(random, RETURN_DAYS, DAY_MILLISECONDS)))
      }
      if (random.chance(feedbackRate)) {
        plans.push(plan('RATE', order, now.getTime() + within(random, RATE_DAYS, DAY_MILLISECONDS)))
      }
      return plans
    },

    postpone: (one: Plan, now: Date): Plan => ({
      ...one,
      dueAt: new Date(now.getTime() + POSTPONED_HOURS * HOUR_MILLISECONDS),
    }),
  }
}
export type Planner = ReturnType<typeof createPlanner>
