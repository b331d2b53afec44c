import { expect, test } from 'vitest'
import { BoundedMap } from './bounded-map.ts'

test('evicts the oldest entry', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.set('a', 1)
  map.set('c', 3)
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([1, undefined, 3])
  expect(map.size).toBe(2)
})

test('replaces, deletes and clears', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1)
  map.set('a', 2)
  expect(map.get('a')).toBe(2)
  map.delete('a')
  expect(map.get('a')).toBeUndefined()
  map.set('b', 1)
  map.clear()
  expect(map.size).toBe(0)
})
