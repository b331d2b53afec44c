import { createTokenOperations, type TokensDependencies } from './operations.ts'
import { createTokenRoutes } from './routes.ts'

export function createTokensArea(dependencies: TokensDependencies) {
  const operations = createTokenOperations(dependencies)
  return { operations, routes: createTokenRoutes(operations) }
}
