import { tokenDue } from './due.ts'
import { createTokenOperations, type TokensDependencies } from './operations.ts'
import { expiredTokenSweep } from './retention.ts'
import { createTokenRoutes } from './routes.ts'

export type { TokensDependencies }

export function createTokensArea(dependencies: TokensDependencies) {
  const operations = createTokenOperations(dependencies)
  return { routes: createTokenRoutes(operations), jobs: {}, sweeps: [expiredTokenSweep], due: tokenDue, expanders: {} }
}
