export { ProgressBoard, type ProgressTask } from './progress-board.ts'
export { type ProgressControl, ProgressReaders } from './progress-readers.ts'
export type { Progress } from './public.ts'
export { createProgressRoutes } from './routes.ts'
