import type { Reader, Transaction } from '../../platform/database/port.ts'
import { loadSetting, storeSetting } from '../../platform/settings/store.ts'
import type { LifeRules } from './options.ts'
import type { LifeCounts } from './public.ts'
import type { StrategyName } from './strategies.ts'

/** A product that a competitor sells. */
export interface Assignment {
  sellerId: string
  strategy: StrategyName
  marketplaceId: string
  asin: string
  baseMinor: number
}

export const NO_COUNTS: LifeCounts = {
  orders: 0,
  cancellations: 0,
  shipments: 0,
  deliveries: 0,
  returns: 0,
  feedback: 0,
  restocks: 0,
  offerChanges: 0,
}

/** Stored as JSON. */
export interface LifeState {
  /** Higher with every start. */
  run: number
  isRunning: boolean
  startedAt: string
  rules: LifeRules
  /** Steps that are done. */
  steps: number
  counts: LifeCounts
  /** The number of the last order id that was used. */
  orderNumber: number
  /** Chosen in the first step. */
  assignments?: readonly Assignment[]
}

export async function loadLife(reader: Reader): Promise<LifeState | undefined> {
  const text = await loadSetting(reader, 'life')
  return text === undefined ? undefined : JSON.parse(text)
}

export const storeLife = (tx: Transaction, state: LifeState): Promise<void> =>
  storeSetting(tx, 'life', JSON.stringify(state))
