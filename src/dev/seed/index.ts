// The rest of this folder is loaded when a seed is used.
export type { OpenedSeed } from './open-seed.ts'
export { OtherSeedError } from './other-seed-error.ts'
export type { CompleteSeed } from './read-seed.ts'
export type { ExportFormat } from './render-export.ts'
export type { ReportRows } from './seed-state.ts'
export type { ReportReading } from './steps.ts'
