import { describe, expect, test } from 'vitest'
import { AWS_LIMIT, type Message } from '../../../platform/messaging/port.ts'
import { assignLanes, splitIntoBatches } from './message-batches.ts'

const message = (id: string, bytes = 100): Message => ({
  id,
  type: 'T',
  source: 's',
  time: new Date(0),
  body: 'x'.repeat(bytes),
})

describe('lanes', () => {
  test('keep each group together and in its order', () => {
    const items = ['a1', 'b1', 'a2', 'c1', 'd1', 'b2', 'a3', 'd2']
    const lanes = assignLanes(items, (item) => item[0] as string, 2)
    expect(lanes).toHaveLength(2)
    expect(lanes.flat().sort()).toEqual([...items].sort())
    for (const group of 'abcd') {
      const lane = lanes.find((one) => one.some((item) => item.startsWith(group)))
      const own = items.filter((item) => item.startsWith(group))
      expect(lane?.filter((item) => item.startsWith(group))).toEqual(own)
    }
  })

  test('are at most as many as groups', () => {
    expect(assignLanes([1, 2, 3], () => 'one', 4)).toEqual([[1, 2, 3]])
    expect(assignLanes([], () => 'none', 4)).toEqual([])
  })
})

describe('requests', () => {
  const sizes = (messages: Message[]) => [...splitIntoBatches(messages, AWS_LIMIT)].map((batch) => batch.length)

  test('contain ten messages at most', () => {
    expect(sizes(Array.from({ length: 23 }, (_, index) => message(String(index))))).toEqual([10, 10, 3])
    expect(sizes([])).toEqual([])
  })

  test('stay within the size limit, and a message over the limit is alone in its request', () => {
    const half = AWS_LIMIT.bytes / 2
    expect(sizes([message('a', half), message('b', half), message('c', half)])).toEqual([2, 1])
    expect(sizes([message('a'), message('b', AWS_LIMIT.bytes + 1), message('c')])).toEqual([1, 1, 1])
  })
})
