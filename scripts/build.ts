// Builds src/ into dist/: types by tsc, code by rolldown. Typebox and Kysely are hundreds of small modules each, which
// cost more time to find and open than to run, so they are bundled; every other dependency stays what it is. They are
// dependencies all the same: an install without dev dependencies has no build, and runs from src/.
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { rolldown } from 'rolldown'

const BUNDLED = ['kysely', 'typebox']
const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
const external = Object.keys(dependencies).filter((name) => !BUNDLED.includes(name))

rmSync('dist', { recursive: true, force: true })
execFileSync('tsc', ['-p', 'tsconfig.build.json'], { stdio: 'inherit', shell: process.platform === 'win32' })

const bundle = await rolldown({
  input: { index: 'src/index.ts', 'cli/main': 'src/cli/main.ts', 'worker/thread': 'src/worker/thread.ts' },
  platform: 'node',
  external: new RegExp(`^(${external.join('|')})(/|$)`),
  treeshake: { moduleSideEffects: false },
})
await bundle.write({ dir: 'dist', format: 'esm', sourcemap: true, chunkFileNames: 'chunks/[name]-[hash].js' })
