import type { FastifyRequest } from 'fastify'
import { listSellers, type Seller } from '../../marketplace/accounts/sellers.ts'
import type { Clock } from '../../platform/clock/port.ts'
import type { Database } from '../../platform/database/port.ts'
import { ApiError } from '../../platform/errors/api-error.ts'
import type { Developer } from '../developer.ts'
import { type ConsoleSession, MAX_SELLERS } from './schema.ts'

export interface SessionDependencies {
  database: Database
  clock: Clock
  version: string
  /** Present in `souk dev`. */
  developer?: Developer
}

export type SessionOperations = ReturnType<typeof createSessionOperations>

export function createSessionOperations({ database, clock, version, developer }: SessionDependencies) {
  return {
    async getConsoleSession(request: FastifyRequest): Promise<ConsoleSession> {
      if (!developer) throw notSignedIn()
      developer.require(request)
      const sellers = await database.read((reader) => listSellers(reader, { limit: MAX_SELLERS }))
      return { ...common(), role: 'developer', sellers: sellers.map(renderSeller) }
    },
  }

  function common() {
    const isDev = developer !== undefined
    return {
      mode: isDev ? ('dev' as const) : ('serve' as const),
      hasControlPlane: isDev,
      version,
      now: clock.now().toISOString(),
    }
  }
}

export const notSignedIn = () =>
  new ApiError('NotSignedIn', 'No user is signed in.', 'Sign in with POST /console/v1/session.')

const renderSeller = ({ sellerId, business, participations }: Seller) => ({
  sellerId,
  name: business?.name ?? participations[0]?.storeName ?? sellerId,
  marketplaceIds: participations.filter((one) => one.isParticipating).map(({ marketplaceId }) => marketplaceId),
})
