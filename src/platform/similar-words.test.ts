import { expect, test } from 'vitest'
import { editDistance, findSimilar, rankSimilar } from './similar-words.ts'

test.each([
  ['', '', 0],
  ['', 'abc', 3],
  ['abc', 'abc', 0],
  ['kitten', 'sitting', 3],
  ['reports', 'report', 1],
  ['abc', 'xyz', 3],
  ['port', 'prot', 1],
  ['host', 'shot', 2],
])('the edit distance from %o to %o is %i', (one, other, distance) => {
  expect(editDistance(one, other)).toBe(distance)
  expect(editDistance(other, one)).toBe(distance)
})

test('a misspelled word finds the intended one, in any case', () => {
  const known = ['port', 'host', 'database', 'documents']
  expect(findSimilar('prot', known)).toEqual(['port'])
  expect(findSimilar('prt', known)).toEqual(['port'])
  expect(findSimilar('dataBase', known)).toEqual(['database'])
  expect(findSimilar('document', known)).toEqual(['documents'])
  expect(findSimilar('x', known)).toEqual([])
  expect(findSimilar('x'.repeat(1_000), known)).toEqual([])
})

test('all candidates are ranked by distance, however long the unknown word is', () => {
  expect(rankSimilar('ab', ['zzzz', 'abc', 'ab']).map(({ candidate }) => candidate)).toEqual(['ab', 'abc', 'zzzz'])
  expect(rankSimilar('x'.repeat(1_000_000), ['a'])).toEqual([{ candidate: 'a', distance: 100 }])
})
