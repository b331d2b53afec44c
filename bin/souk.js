#!/usr/bin/env node
// It must still run, and say what is wrong, on a Node.js that cannot run the rest.
import { existsSync } from 'node:fs'
import module from 'node:module'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(`souk needs Node.js 22.18 or newer; this is ${process.versions.node} (${process.execPath}).`)
  process.exit(1)
}
// Keeps what the engine has compiled for the next start, which is then a quarter faster.
module.enableCompileCache()
// A clone that was installed without dev dependencies has no build; Node.js then runs the sources.
const built = new URL('../dist/cli/main.js', import.meta.url)
await import(existsSync(built) ? built.href : '../src/cli/main.ts')
