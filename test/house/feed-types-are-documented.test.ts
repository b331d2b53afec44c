import { expect, test } from 'vitest'
import { feedTypes } from '../../src/areas/feeds/feed-types.ts'
import { documentedRows } from './documented-rows.ts'

test('docs/feeds.md has a row for every feed type, and no other rows', () => {
  const documented = documentedRows('feeds.md')
    .map(([name = '']) => name)
    .filter((name) => /^(POST|JSON)_[A-Z_]+$/.test(name))
  expect(documented.sort()).toEqual([...feedTypes.keys()].sort())
})
