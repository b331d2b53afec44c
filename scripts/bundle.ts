// The code that is published and that process tests run.
import { cpSync } from 'node:fs'
import http from 'node:http'
import { basename, join } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'

/**
 * The dependencies that a user installs: native code, and what others should be able to update without us. All others are
 * bundled: they bring many packages that Souk does not use, and hundreds of small modules each, which take longer to
 * find and open than to run.
 */
export const INSTALLED = ['ajv', 'better-sqlite3', 'commander', 'fastify', 'pg', 'pino', 'saxes']

/** Of the user's own project. */
export const PEERS = ['vitest']

/**
 * What `souk dev` always loads, in few files: to find, open and link a file takes longer than to run most of them. Each group
 * has its modules and all that they import, without what an earlier group has, so that no process loads much that it does
 * not use: `souk --help` loads the command line and what is before it, the worker the background too, and `souk serve` the
 * service too. Modules that wait while they are loaded must not be in a group: a module of the same file that they wait for
 * would never run.
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

/**
 * An import of node:http reads all that it exports, and one of them loads the WebSocket client of Node.js, which takes a
 * twentieth of the start. Asking for the module itself does not.
 */
const withoutWebSockets: Plugin = {
  name: 'without-web-sockets',
  resolveId: (id) => (id === 'node:http' || id === 'http' ? '\0node:http' : undefined),
  load(id) {
    if (id !== '\0node:http') return undefined
    const names = Object.entries(Object.getOwnPropertyDescriptors(http)).flatMap(([name, { get }]) => (get ? [] : name))
    return [
      "const http = process.getBuiltinModule('node:http')",
      'export default http',
      ...names.map((name) => `export const ${name} = http.${name}`),
    ].join('\n')
  },
}

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
    plugins: [withoutWebSockets],
    // Some modules are imported on demand for other entries than those that import them at once.
    checks: { ineffectiveDynamicImport: false },
  })
  const { output } = await build.write({
    dir,
    format: 'esm',
    sourcemap: true,
    // For @fastify/swagger-ui, which reads its files from ../static.
    banner: 'const __dirname = import.meta.dirname;',
    chunkFileNames: 'chunks/[name]-[hash].js',
    codeSplitting: { groups },
  })
  const isUsed = (file: string) => basename(file) !== 'swagger-ui.js'
  cpSync('node_modules/@fastify/swagger-ui/static', join(dir, 'static'), { recursive: true, filter: isUsed })
  return output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []))
}
