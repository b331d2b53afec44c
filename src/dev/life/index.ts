export { createLifeJobs } from './jobs.ts'
export { LifeIds, LifeTime } from './life-time.ts'
export { createLifeOperations } from './operations.ts'
export { createLifeRoutes } from './routes.ts'
