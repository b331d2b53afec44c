// The code that is published and that process tests run. Typebox and Kysely are hundreds of small modules each, which
// cost more time to find and open than to run, so they are bundled; every other dependency stays external. They are
// dependencies all the same: an install without dev dependencies has no build, and runs from src/.
import { readFileSync } from 'node:fs'
import { rolldown } from 'rolldown'

const BUNDLED = ['kysely', 'typebox']

export async function bundle(dir: string): Promise<void> {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  const external = Object.keys(dependencies).filter((name) => !BUNDLED.includes(name))
  const build = await rolldown({
    input: { index: 'src/index.ts', 'cli/main': 'src/cli/main.ts', 'worker/thread': 'src/worker/thread.ts' },
    platform: 'node',
    external: new RegExp(`^(${external.join('|')})(/|$)`),
    treeshake: { moduleSideEffects: false },
  })
  await build.write({ dir, format: 'esm', sourcemap: true, chunkFileNames: 'chunks/[name]-[hash].js' })
}
