import type { CompetitorOffers } from '../../marketplace/offers/competitor-offers.ts'
import type { MoveStock } from '../../marketplace/trade/order-stock.ts'
import type { OrderWriter } from '../../marketplace/trade/order-writer.ts'
import type { Transaction } from '../../platform/database/port.ts'
import { choosePurchases, countBuyers, placeOrders } from './buyers.ts'
import { assignProducts, compete } from './competitors.ts'
import type { LifeIds, LifeTime } from './life-time.ts'
import { type Choice, MarketView } from './market-view.ts'
import { stepMilliseconds } from './options.ts'
import { actOnOrders } from './order-acts.ts'
import { addPlans, createPlanner, type Plan, takeDuePlans } from './plans.ts'
import { Random } from './random.ts'
import type { LifeState } from './state.ts'

// Later ones stay due for the next step.
const MAX_PLANS_PER_STEP = 400
const RESTOCK_HOURS = { min: 1, max: 8 }
const MIN_RESTOCKED = 20
const RESTOCKED_DAYS = 3
const HOUR_MILLISECONDS = 60 * 60 * 1000

/** Writers whose clock and ids are those of the step. */
export interface LifeWriters {
  orders: OrderWriter
  competitorOffers: CompetitorOffers
  moveStock: MoveStock
  time: LifeTime
  ids: LifeIds
}

/** When the next step is due: at the end of the time that it covers. */
export const nextStepAt = ({ startedAt, steps, rules }: LifeState): Date =>
  new Date(new Date(startedAt).getTime() + (steps + 1) * stepMilliseconds(rules))

/** Performs one step after the other. The same state of the marketplace and of life gives the same step. */
export function createStepper({ orders, competitorOffers, moveStock, time, ids }: LifeWriters) {
  const view = new MarketView()
  return {
    /** Forgets what was loaded, because the database may have changed. */
    reset: () => view.clear(),

    /** Returns the state after the step. */
    async perform(tx: Transaction, state: LifeState): Promise<LifeState> {
      const { rules, run, steps: step } = state
      const { seed } = rules
      const now = nextStepAt(state)
      const length = stepMilliseconds(rules)
      const counts = { ...state.counts }
      const planner = createPlanner(rules)
      time.set(now)
      ids.begin(run, step)

      await view.refresh(tx, now, state.assignments ?? [])
      const assignments = state.assignments ?? assignProducts(view, rules)
      const plans = await takeDuePlans(tx, now, MAX_PLANS_PER_STEP)
      const restocks = plans.filter(({ act }) => act === 'RESTOCK')
      const ofOrders = plans.filter(({ act }) => act !== 'RESTOCK')
      counts.restocks += await restock(tx, restocks, state)
      const following = await actOnOrders(tx, ofOrders, { orders, planner, view, seed, counts }, now)
      counts.offerChanges += await compete(tx, {
        view,
        assignments,
        competitorOffers,
        seed,
        step,
        stepMilliseconds: length,
        now,
      })
      await view.refresh(tx, now, assignments)
      const count = countBuyers(rules, step, length, now)
      const input = { view, seed, run, step, firstNumber: state.orderNumber, count, now }
      const { orders: wanted, soldOut } = choosePurchases(input)
      const placed = await placeOrders(tx, orders, wanted, now)
      if (placed.length < wanted.length) view.clear()
      counts.orders += placed.length
      for (const { offer } of soldOut) view.change(offer)
      await addPlans(tx, [
        ...following,
        ...placed.map((order) => planner.afterPurchase(order, now)),
        ...(rules.restocks ? soldOut.map((choice, index) => planRestock(choice, state, index, now)) : []),
      ])
      return { ...state, steps: step + 1, orderNumber: state.orderNumber + wanted.length, counts, assignments }
    },
  }

  async function restock(tx: Transaction, plans: readonly Plan[], { rules }: LifeState): Promise<number> {
    if (plans.length === 0) return 0
    const pieces = Math.max(
      MIN_RESTOCKED,
      Math.ceil((rules.ordersPerDay * RESTOCKED_DAYS) / Math.max(1, view.choices.length)),
    )
    const movements = plans.map(({ sellerId, subject }) => {
      const [marketplaceId = '', asin = '', ...sku] = subject.split(' ')
      view.addListed({ marketplaceId, asin, sellerId, sku: sku.join(' ') })
      return { sellerId, marketplaceId, sku: sku.join(' '), pieces: -pieces }
    })
    await moveStock(tx, movements)
    return plans.length
  }
}

function planRestock({ offer }: Choice, { rules, run, steps }: LifeState, index: number, now: Date): Plan {
  const { sellerId, marketplaceId, asin, sku } = offer
  const subject = `${marketplaceId} ${asin} ${sku}`
  const hours = Random.of(rules.seed, 'restock', steps, sellerId, subject).between(RESTOCK_HOURS.min, RESTOCK_HOURS.max)
  return {
    dueAt: new Date(now.getTime() + Math.round(hours * HOUR_MILLISECONDS)),
    planId: `restock-${toDigits(run)}-${toDigits(steps)}-${toDigits(index)}`,
    act: 'RESTOCK',
    sellerId,
    subject,
  }
}

// Of the same length, because texts are compared.
const toDigits = (number: number) => String(number).padStart(10, '0')
