import { createHook } from 'node:async_hooks'

let kept: object | undefined

// From 24.14 and 25.6 on, Node.js can leave promises out of it. Earlier, a hook would make each of them slower.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const canLeavePromisesOut = major > 25 || (major === 25 && minor >= 6) || (major === 24 && minor >= 14)

/**
 * Keeps one of the objects that process.nextTick creates. Of the keys of its literal, V8 remembers after which hidden
 * class each is added, but does not keep these classes: a garbage collection while no tick is queued deletes them, and
 * from then on the engine looks up each key, which takes three times as long. A response takes six ticks.
 *
 * Call it before there is garbage to collect. Returns the object.
 */
export function keepTickShape(): object | undefined {
  if (!canLeavePromisesOut) return undefined
  const hook = createHook({
    // The engine gives up shortcuts of promises for good if they were tracked once.
    trackPromises: false,
    init(_id, type, _triggerId, resource) {
      if (type === 'TickObject') kept = resource
    },
  })
  hook.enable()
  process.nextTick(() => {})
  hook.disable()
  return kept
}
