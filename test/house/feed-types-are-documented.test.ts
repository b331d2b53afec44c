import { expect, test } from 'vitest'
import { feedTypes } from '../../src/areas/feeds/feed-types.ts'
import { documentedRows } from './documented-rows.ts'

test('docs/feeds.md has a row for every type of feed, and for no other', () => {
  const documented = documentedRows('feeds.md')
    .map(([name = '']) => name)
    .filter((name) => /^(POST|JSON)_[A-Z_]+$/.test(name))
  expect(documented.sort()).toEqual([...feedTypes.keys()].sort())
})
