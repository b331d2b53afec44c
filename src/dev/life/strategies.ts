export const STRATEGIES = ['undercut', 'match', 'premium', 'weekdays', 'flapping'] as const
export type StrategyName = (typeof STRATEGIES)[number]

/** What a competitor sees of a product when it reconsiders its offer. Prices are landed prices in minor units. */
export interface Situation {
  /** The lowest price of the others, if there are any. */
  lowestMinor: number | undefined
  /** The price of the featured offer of the others, if there is one. */
  featuredMinor: number | undefined
  /** The price of the product when the competitor joined. */
  baseMinor: number
  /** How often the competitor has reconsidered its offer before. */
  turn: number
  now: Date
}

/** Returns the new price, or undefined if the competitor has no offer. */
type Strategy = (situation: Situation) => number | undefined

const FLOOR_PERCENT = 70
const PREMIUM_PERCENT = 115
const FLAPPING_PERCENTS = [92, 108] as const

const percent = (minor: number, share: number) => Math.max(1, Math.round((minor * share) / 100))
/** Below this a competitor would sell at a loss. */
const floorOf = ({ baseMinor }: Situation) => percent(baseMinor, FLOOR_PERCENT)

const isWeekend = (now: Date) => now.getUTCDay() === 0 || now.getUTCDay() === 6

export const strategies: Readonly<Record<StrategyName, Strategy>> = {
  /** A cent below the lowest offer, down to the floor. */
  undercut: (situation) => Math.max(floorOf(situation), (situation.lowestMinor ?? situation.baseMinor + 1) - 1),
  /** The price of the featured offer, down to the floor. */
  match: (situation) =>
    Math.max(floorOf(situation), situation.featuredMinor ?? situation.lowestMinor ?? situation.baseMinor),
  /** Always above the featured offer. */
  premium: ({ featuredMinor, lowestMinor, baseMinor }) =>
    percent(featuredMinor ?? lowestMinor ?? baseMinor, PREMIUM_PERCENT),
  /** A fixed price, and out of stock on weekends. */
  weekdays: ({ baseMinor, now }) => (isWeekend(now) ? undefined : baseMinor),
  /** Below and above the first price by turns. */
  flapping: ({ baseMinor, turn }) => percent(baseMinor, FLAPPING_PERCENTS[turn % 2] as number),
}
