import { type Static, Type } from 'typebox'
import { strict } from '../../marketplace/schema.ts'
import { STRATEGIES, type StrategyName } from './strategies.ts'

export const MAX_COMPETITORS = 20
const MAX_SEED = 2 ** 32 - 1

const probability = (description: string) => Type.Optional(Type.Number({ minimum: 0, maximum: 1, description }))

export const LifeOptions = Type.Object(
  {
    seed: Type.Optional(
      Type.Integer({ minimum: 0, maximum: MAX_SEED, description: 'The same seed gives the same trade. Default: 1' }),
    ),
    ordersPerDay: Type.Optional(Type.Number({ minimum: 0, maximum: 100_000, description: 'On average. Default: 50' })),
    competitors: Type.Optional(
      Type.Union(
        [
          Type.Integer({ minimum: 0, maximum: MAX_COMPETITORS }),
          Type.Array(Type.Enum(STRATEGIES), { maxItems: MAX_COMPETITORS }),
        ],
        { description: 'The strategies of competitors, or how many there are. Default: one of each strategy' },
      ),
    ),
    cancelRate: probability('How many buyers cancel their order. Default: 0.03'),
    returnRate: probability('How many buyers return a delivered order. Default: 0.06'),
    feedbackRate: probability('How many buyers rate a delivered order. Default: 0.2'),
    deliveryDays: Type.Optional(
      Type.Object(
        {
          min: Type.Number({ minimum: 0, maximum: 60 }),
          max: Type.Number({ minimum: 0, maximum: 60 }),
        },
        { ...strict, description: 'How long carriers take. Default: 1 to 5 days' },
      ),
    ),
    shipsForSellers: Type.Optional(
      Type.Boolean({ description: 'Whether orders are shipped that their seller does not ship. Default: true' }),
    ),
    restocks: Type.Optional(Type.Boolean({ description: 'Whether sold out listings get new stock. Default: true' })),
  },
  strict,
)
export type LifeOptions = Static<typeof LifeOptions>

/** The options with their defaults. */
export interface LifeRules extends Required<Omit<LifeOptions, 'competitors'>> {
  competitors: StrategyName[]
}

export function toRules({ competitors = STRATEGIES.length, ...options }: LifeOptions): LifeRules {
  return {
    seed: 1,
    ordersPerDay: 50,
    cancelRate: 0.03,
    returnRate: 0.06,
    feedbackRate: 0.2,
    deliveryDays: { min: 1, max: 5 },
    shipsForSellers: true,
    restocks: true,
    ...options,
    competitors:
      typeof competitors === 'number'
        ? Array.from({ length: competitors }, (_, index) => STRATEGIES[index % STRATEGIES.length] as StrategyName)
        : competitors,
  }
}

const MINUTE_MILLISECONDS = 60_000
const STEP_MINUTES = 15
// A step of 15 minutes would have more than fifty orders.
const MANY_ORDERS_PER_DAY = 5_000

/** How much time a step covers. It bounds the acts of a step, and by how much notifications lag behind them. */
export const stepMilliseconds = ({ ordersPerDay }: LifeRules): number =>
  ordersPerDay > MANY_ORDERS_PER_DAY ? MINUTE_MILLISECONDS : STEP_MINUTES * MINUTE_MILLISECONDS
