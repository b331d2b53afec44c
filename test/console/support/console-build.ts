import { existsSync } from 'node:fs'

/** `npm ci` and `npm run build` build the console; a test run does not do it again. */
export function setup(): void {
  if (!existsSync('dist/console/index.html')) throw new Error('The console is not built. Run npm run build first.')
}
