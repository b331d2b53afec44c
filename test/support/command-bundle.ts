import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import type { TestProject } from 'vitest/node'
import { bundle } from '../../scripts/bundle.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The command `souk`, bundled from the current sources. */
    soukCommand: string
  }
}

let bundles = 0

/**
 * Bundles the sources once for all processes that tests start, which halves the CPU time of a start.
 * Inside the project, because the bundle imports its dependencies. TEST_SOUK_COMMAND names another one, such as an
 * installed package's.
 */
export async function setup(project: TestProject): Promise<() => void> {
  if (process.env.TEST_SOUK_COMMAND) {
    project.provide('soukCommand', process.env.TEST_SOUK_COMMAND)
    return () => {}
  }
  const folder = resolve('.test-build', `souk-${process.pid}-${++bundles}`)
  await bundle(folder)
  project.provide('soukCommand', resolve(folder, 'cli/main.js'))
  return () => rmSync(folder, { recursive: true, force: true })
}
