#!/usr/bin/env node
try {
  await import('./require-node.js')
} catch (error) {
  console.error(error.message)
  process.exit(1)
}
// Keeps what the engine has compiled for the next start, which is then a quarter faster. An import would load more.
process.getBuiltinModule('node:module').enableCompileCache()
// A clone that was installed without dev dependencies has no build; Node.js then runs the sources.
const built = new URL('../dist/cli/main.js', import.meta.url)
await import(process.getBuiltinModule('node:fs').existsSync(built) ? built.href : '../src/cli/main.ts')
