import { expect, test } from 'vitest'
import { type AbandonedClient, AbandonedConnections } from './abandoned-connections.ts'

const POOL_SIZE = 2
const reason = new Error('given up')

function createClient(name: string, events: string[], unusableReason: Error | undefined = reason) {
  let onQuiet = () => {}
  const client: AbandonedClient = {
    isBusy: true,
    unusableReason,
    release: (error) => void events.push(error ? `${name} left the pool` : `${name} returned to the pool`),
    whenQuiet: (callback) => {
      onQuiet = callback
    },
    cut: () => void events.push(`${name} was cut`),
  }
  return { client, endStatement: () => onQuiet() }
}

function abandon(count: number) {
  const events: string[] = []
  const abandoned = new AbandonedConnections(POOL_SIZE)
  const clients = Array.from({ length: count }, (_, index) => createClient(String(index), events))
  for (const { client } of clients) abandoned.release(client)
  return { events, abandoned, clients }
}

test('as many busy connections as the pool has leave it; others when one of these has ended, or they themselves', () => {
  const { events, abandoned, clients } = abandon(POOL_SIZE + 2)
  expect(events).toEqual(['0 left the pool', '1 left the pool'])
  expect(abandoned.apart).toBe(POOL_SIZE)
  clients[3]?.endStatement()
  expect(events.slice(2)).toEqual(['3 left the pool'])
  clients[0]?.endStatement()
  expect(events.slice(3)).toEqual(['2 left the pool'])
  clients[1]?.endStatement()
  expect(abandoned.apart).toBe(1)
  clients[2]?.endStatement()
  expect(abandoned.apart).toBe(0)
  expect(events).toHaveLength(4)
})

test('all are cut together, those that left the pool and those that did not', () => {
  const { events, abandoned, clients } = abandon(POOL_SIZE + 1)
  clients[0]?.endStatement()
  abandoned.cut(reason)
  expect(events.slice(3)).toEqual(['1 was cut', '2 was cut'])
})

test('a connection that is usable returns to the pool', () => {
  const events: string[] = []
  const { client } = createClient('0', events)
  new AbandonedConnections(POOL_SIZE).release({ ...client, unusableReason: undefined })
  expect(events).toEqual(['0 returned to the pool'])
})
