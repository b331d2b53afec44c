import type { CompetitorOffers } from '../marketplace/offers/competitor-offers.ts'
import type { OrderWriter } from '../marketplace/trade/order-writer.ts'
import type { Clock } from '../platform/clock/port.ts'
import type { Database } from '../platform/database/port.ts'
import { invalidParameter } from '../platform/errors/api-error.ts'
import type { Ids } from '../platform/ids/port.ts'
import type { ActDefaults, FindListedSkus } from './ports.ts'

export interface ActDependencies {
  database: Database
  clock: Clock
  ids: Ids
  orders: OrderWriter
  competitorOffers: CompetitorOffers
  findListedSkus: FindListedSkus
  /** Whom and what acts without ids are about. The operator API has no defaults. */
  findDefaults(): Promise<ActDefaults>
}

/** The id in the request, or the default. */
export function requireId<Name extends keyof ActDefaults>(
  name: Name,
  given: { [Key in Name]?: string },
  defaults: ActDefaults,
): string {
  const id = given[name] ?? defaults[name]
  if (id === undefined) throw invalidParameter(name, 'is required')
  return id
}
