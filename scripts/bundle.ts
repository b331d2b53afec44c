// The code that is published and that process tests run.
import { cpSync } from 'node:fs'
import { basename, join } from 'node:path'
import { rolldown } from 'rolldown'

/**
 * The dependencies that a user installs: native code, and what others should be able to update without us. All others are
 * bundled: they bring many packages that Souk does not use, and hundreds of small modules each, which take longer to
 * find and open than to run.
 */
export const INSTALLED = ['ajv', 'better-sqlite3', 'commander', 'fastify', 'pg', 'pino', 'saxes']

/** Of the user's own project. */
export const PEERS = ['vitest']

/** Returns the files that went into the bundle. */
export async function bundle(dir: string): Promise<string[]> {
  const build = await rolldown({
    input: {
      index: 'src/index.ts',
      'cli/main': 'src/cli/main.ts',
      'worker/thread': 'src/worker/thread.ts',
      'redirect/index': 'src/redirect/index.ts',
      'vitest/index': 'src/vitest/index.ts',
    },
    platform: 'node',
    external: new RegExp(`^(${[...INSTALLED, ...PEERS].join('|')})(/|$)`),
    treeshake: { moduleSideEffects: false },
  })
  const { output } = await build.write({
    dir,
    format: 'esm',
    sourcemap: true,
    // For @fastify/swagger-ui, which reads its files from ../static.
    banner: 'const __dirname = import.meta.dirname;',
    chunkFileNames: 'chunks/[name]-[hash].js',
  })
  const isUsed = (file: string) => basename(file) !== 'swagger-ui.js'
  cpSync('node_modules/@fastify/swagger-ui/static', join(dir, 'static'), { recursive: true, filter: isUsed })
  return output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []))
}
