export { type Progress, ProgressBoard, type ProgressTask } from './progress-board.ts'
export { createProgressRoutes, type ProgressControl } from './routes.ts'
