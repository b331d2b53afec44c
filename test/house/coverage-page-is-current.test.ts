import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { coveragePage } from '../../scripts/coverage-page.ts'
import { differences } from '../models/differences.ts'

test('docs/coverage.md is what npm run coverage-page writes', () => {
  const page = readFileSync(new URL('../../docs/coverage.md', import.meta.url), 'utf8')
  expect(page, 'Run npm run coverage-page').toBe(coveragePage())
})

test('the coverage has the quota of an operation, its clients, and the reason of each difference', () => {
  const page = coveragePage()
  expect(page).toMatch(
    /^\| createReport \| `POST \/reports\/2021-06-30\/reports` \| yes \| 0.0167 \| 15 \| vendor SDK.* \| \d+ \|/m,
  )
  for (const { reason } of differences) expect(page).toContain(reason)
})
