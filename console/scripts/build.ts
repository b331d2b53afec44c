import { build } from 'vite'
import { writeApiTypes } from './write-api-types.ts'

/** Builds the console into dist/console of the package. */
export async function buildConsole(): Promise<void> {
  await writeApiTypes()
  await build({ configFile: `${import.meta.dirname}/../vite.config.ts`, logLevel: 'warn' })
}

if (import.meta.main) await buildConsole()
