import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { plantedBugs } from './planted-bugs.ts'

test.each(plantedBugs.map((bug) => [bug.name, bug] as const))('%s: its lines are still in the source', (_, bug) => {
  const source = readFileSync(new URL(`../../src/${bug.file}`, import.meta.url), 'utf8')
  for (const [search] of bug.changes) expect(source).toContain(search)
})
