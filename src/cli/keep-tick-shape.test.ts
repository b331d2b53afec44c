import { createHook } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { keepTickShape } from './keep-tick-shape.ts'

setFlagsFromString('--expose-gc')
setFlagsFromString('--allow-natives-syntax')
const collectGarbage = runInNewContext('gc') as () => void
const haveSameShape = runInNewContext('(one, other) => %HaveSameMap(one, other)') as (...objects: object[]) => boolean

test('the shape of the objects of ticks outlives a garbage collection', async () => {
  const kept = new WeakRef(keepTickShape() as object)
  // A reference that was just made lives until the next turn.
  await setImmediate()
  collectGarbage()
  const first = kept.deref() as object
  expect(first).toBeDefined()
  expect(haveSameShape(first, createTick())).toBe(true)
  expect(haveSameShape(first, {})).toBe(false)
})

function createTick(): object {
  const ticks: object[] = []
  const hook = createHook({
    init: (_id, type, _triggerId, resource) => void (type === 'TickObject' && ticks.push(resource)),
  })
  hook.enable()
  process.nextTick(() => {})
  hook.disable()
  return ticks[0] as object
}
