export { createActs } from './acts.ts'
export type { ActDependencies } from './dependencies.ts'
export { createActRoutes } from './routes.ts'
