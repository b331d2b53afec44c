// The code that is published and that process tests run.
import { cpSync } from 'node:fs'
import { basename, join } from 'node:path'
import { rolldown } from 'rolldown'
import { builtInsOnDemand, builtInsWithoutFacade, withoutUnused } from './bundle-plugins.ts'

/**
 * The dependencies that a user installs: native code. All others are bundled: they bring many packages that Souk does
 * not use, and hundreds of small modules each, which take longer to install, find and open than to run.
 */
export const INSTALLED = ['better-sqlite3']

/** Of the user's own project. */
export const PEERS = ['vitest']

/** Optional dependencies of bundled packages that are not installed: a driver for PostgreSQL in C. */
export const ABSENT = ['pg-native']

/**
 * What `souk dev` always loads, in few files: to find, open and link a file takes longer than to run most of them. Each
 * group has its modules and all that they import, without what an earlier group has, so that no process loads much that
 * it does not use: `souk --help` loads the command line and what is before it, the worker the background too, and `souk
 * serve` the service too. Modules that wait while they are loaded must not be in a group: a module of the same file
 * that they wait for would never run.
 */
const GROUPS = [
  // Of its own, because `souk/redirect` loads it into programs of users.
  { name: 'vendor-hosts', roots: ['platform/vendor-hosts'] },
  // What `import 'souk'` links before it runs: an unsupported Node.js must be able to, and then gets a message.
  { name: 'public', roots: ['index'] },
  { name: 'command-line', roots: ['cli/command-line'] },
  {
    name: 'background',
    roots: [
      'worker/in-process-background',
      'worker/stand-in-messenger',
      'platform/database/sqlite-database',
      'platform/documents/file-document-store',
    ],
  },
  { name: 'service', roots: ['composition/service'] },
  {
    name: 'stand-in',
    roots: [
      'stand-in/stand-in',
      'worker/thread-background',
      'platform/database/check-database-file',
      'platform/database/database-lock',
      'platform/documents/retention',
    ],
  },
]

const groups = GROUPS.map(({ name, roots }, index) => ({
  name,
  test: (id: string) => roots.some((root) => id.replaceAll('\\', '/').endsWith(`/src/${root}.ts`)),
  priority: GROUPS.length - index,
}))

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
    external: new RegExp(`^(${[...INSTALLED, ...PEERS, ...ABSENT].join('|')})(/|$)`),
    treeshake: { moduleSideEffects: false },
    plugins: [builtInsOnDemand, builtInsWithoutFacade, withoutUnused],
    // Some modules are imported on demand for other entries than those that import them at once.
    checks: { ineffectiveDynamicImport: false },
  })
  const { output } = await build.write({
    dir,
    format: 'esm',
    sourcemap: true,
    // One character of another alphabet would double the memory of the whole file.
    charset: 'ascii',
    comments: { jsdoc: false, annotation: false },
    // For @fastify/swagger-ui, which reads its files from ../static.
    banner: 'const __dirname = import.meta.dirname;',
    chunkFileNames: 'chunks/[name]-[hash].js',
    codeSplitting: { groups },
  })
  const isUsed = (file: string) => basename(file) !== 'swagger-ui.js'
  cpSync('node_modules/@fastify/swagger-ui/static', join(dir, 'static'), { recursive: true, filter: isUsed })
  return output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []))
}
