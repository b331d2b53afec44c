import type { FastifyRequest } from 'fastify'
import { headerOf, SELLER_HEADER } from '../../http/console-header.ts'
import { findSeller, listSellers, type Seller } from '../../marketplace/accounts/sellers.ts'
import type { Clock } from '../../platform/clock/port.ts'
import type { Database, Reader } from '../../platform/database/port.ts'
import type { Developer } from '../developer.ts'
import { type ConsoleSession, MAX_SELLERS, type SignInBody } from './schema.ts'
import { deleteSession } from './session-store.ts'
import { notSignedIn, type Session, type Sessions } from './sessions.ts'
import { createSignIn, type SignInDependencies } from './sign-in.ts'

export interface SessionDependencies extends SignInDependencies {
  database: Database
  clock: Clock
  version: string
  sessions: Sessions
  /** Present in `souk dev`. */
  developer?: Developer
}

export type SessionOperations = ReturnType<typeof createSessionOperations>

export function createSessionOperations(dependencies: SessionDependencies) {
  const { database, clock, version, developer, sessions } = dependencies
  const signIn = createSignIn(dependencies)
  return {
    /** Needs no CSRF token, which the page learns here. Pages of other sites cannot read the response. */
    async getConsoleSession(request: FastifyRequest): Promise<ConsoleSession> {
      const session = await sessions.find(request)
      if (session) return render(session)
      if (!developer) throw notSignedIn()
      developer.require(request)
      const sellers = await database.read((reader) => listFirst(reader, headerOf(request, SELLER_HEADER)))
      return { ...common(), role: 'developer', sellers: sellers.map(renderSeller) }
    },

    async createConsoleSession(request: FastifyRequest, credentials: SignInBody) {
      sessions.requireOwnPage(request)
      const attempt = { credentials, address: request.ip, previousToken: sessions.cookie.tokenIn(request) }
      const { token, session } = await signIn(attempt)
      return { token, body: await render(session) }
    },

    async deleteConsoleSession(request: FastifyRequest): Promise<void> {
      const { tokenDigest } = await sessions.require(request)
      await database.transact((tx) => deleteSession(tx, tokenDigest))
    },
  }

  async function render({ role, accountName, sellerId, csrfToken }: Omit<Session, 'user'>): Promise<ConsoleSession> {
    const seller = sellerId === undefined ? undefined : await database.read((reader) => findSeller(reader, sellerId))
    return {
      ...common(),
      role,
      ...(accountName !== undefined && { accountName }),
      ...(sellerId !== undefined && { sellerId }),
      sellers: seller ? [renderSeller(seller)] : [],
      csrfToken,
    }
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

/** The first sellers, and the one who was selected among more. */
async function listFirst(reader: Reader, selectedId: string | undefined): Promise<Seller[]> {
  const first = await listSellers(reader, { limit: MAX_SELLERS })
  if (selectedId === undefined || first.some(({ sellerId }) => sellerId === selectedId)) return first
  const selected = await findSeller(reader, selectedId)
  return selected ? [...first, selected] : first
}

const renderSeller = ({ sellerId, business, participations }: Seller) => ({
  sellerId,
  name: business?.name ?? participations[0]?.storeName ?? sellerId,
  marketplaceIds: participations.filter((one) => one.isParticipating).map(({ marketplaceId }) => marketplaceId),
})
