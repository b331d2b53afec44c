import { expect, test } from 'vitest'
import { Forks } from './forks.ts'
import type { StandIn } from './options.ts'
import type { StateCopy } from './state.ts'

const copy = {} as StateCopy

test('a fork that is starting while its parent stops is stopped with it', async () => {
  const events: string[] = []
  const standIn = { url: 'http://127.0.0.1:1', stop: async () => void events.push('fork stopped') } as StandIn
  const { promise, resolve } = Promise.withResolvers<StandIn>()
  const forks = new Forks(() => promise)
  const started = forks.start(copy).catch(({ code }) => events.push(code))
  const stopped = forks.stopAll().then(() => events.push('parent stops'))
  resolve(standIn)
  await Promise.all([started, stopped])
  expect(events[0]).toBe('fork stopped')
  expect(events.slice(1).sort()).toEqual(['ServiceUnavailable', 'parent stops'])
  expect(await forks.list()).toEqual([])
  await expect(forks.start(copy)).rejects.toThrow('The marketplace is stopping.')
})

test('a parent stops although a fork fails to start', async () => {
  const { promise, reject } = Promise.withResolvers<StandIn>()
  const forks = new Forks(() => promise)
  const started = expect(forks.start(copy)).rejects.toThrow('no port is free')
  const stopped = forks.stopAll()
  reject(new Error('no port is free'))
  await Promise.all([started, stopped])
})

test('a fork that fails to stop does not keep the others running, and its error is reported', async () => {
  const stopped: string[] = []
  const stops = [
    async () => {
      throw new Error('the disk is full')
    },
    async () => {
      await new Promise(setImmediate)
      stopped.push('second')
    },
  ]
  const forks = new Forks(async () => ({ url: '', stop: stops.shift() }) as StandIn)
  await forks.start(copy)
  await forks.start(copy)
  await expect(forks.stopAll()).rejects.toThrow('the disk is full')
  expect(stopped).toEqual(['second'])
})

test('forks and their forks are 200 at most, and one that stops or does not start makes room', async () => {
  const family = { running: new Set<object>(), lastNumber: 0 }
  const start = async () => ({ url: '', stop: async () => {} }) as StandIn
  const [parent, child] = [new Forks(start, family), new Forks(start, family)]
  for (let count = 0; count < 199; count++) await child.start(copy)
  const { id } = await parent.start(copy)
  await expect(child.start(copy)).rejects.toThrow('There are 200 forks already.')
  await parent.stop(id)
  const failing = new Forks(() => Promise.reject(new Error('no port is free')), family)
  await expect(failing.start(copy)).rejects.toThrow('no port is free')
  await child.start(copy)
  await expect(parent.start(copy)).rejects.toThrow('There are 200 forks already.')
})
