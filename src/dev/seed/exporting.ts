// What an export needs. It is loaded with the first one.
export { exportSeed } from './export-seed.ts'
export { renderExport } from './render-export.ts'
