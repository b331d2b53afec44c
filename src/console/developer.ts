import type { FastifyRequest } from 'fastify'
import { headerOf, SELLER_HEADER } from '../http/console-header.ts'
import { findFirstAuthorization } from '../marketplace/accounts/authorizations.ts'
import { unknownSellers } from '../marketplace/accounts/sellers.ts'
import { type Caller, CONSOLE_APPLICATION, denied, SCOPES, type TokenAccess } from '../platform/auth/caller.ts'
import type { Database } from '../platform/database/port.ts'
import { invalidInput } from '../platform/errors/api-error.ts'

export interface DeveloperDependencies {
  database: Database
  /** Returns why a request may not control the stand-in, or undefined if it may. */
  findDenial(request: FastifyRequest): string | undefined
}

export type Developer = ReturnType<typeof createDeveloper>

/** The user of `souk dev`: no sign-in, may act for every seller, and as the operator. */
export function createDeveloper({ database, findDenial }: DeveloperDependencies) {
  return {
    /** Throws unless the request may control the stand-in. */
    require(request: FastifyRequest): void {
      const denial = findDenial(request)
      if (denial !== undefined) throw denied(denial)
    },

    /** The caller for the seller that the request names. */
    async findCaller(request: FastifyRequest, access: TokenAccess): Promise<Caller> {
      const sellerId = headerOf(request, SELLER_HEADER)
      if (sellerId === undefined) throw invalidInput(SELLER_HEADER, `The header ${SELLER_HEADER} is missing.`)
      return database.read(async (reader) => {
        if ((await unknownSellers(reader, [sellerId])).size > 0) {
          throw invalidInput(SELLER_HEADER, 'There is no such seller.')
        }
        if (access.seller) {
          return { kind: 'seller', applicationId: CONSOLE_APPLICATION, sellerId, isConsole: true }
        }
        const first = await findFirstAuthorization(reader, sellerId)
        if (!first) throw invalidInput(SELLER_HEADER, 'The seller has not authorized an application.')
        return { kind: 'grantless', applicationId: first.applicationId, scopes: SCOPES, isConsole: true }
      })
    },
  }
}
