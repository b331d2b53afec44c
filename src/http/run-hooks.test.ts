import type { FastifyReply, FastifyRequest } from 'fastify'
import { describe, expect, test, vi } from 'vitest'
import { runHooks, runPayloadHooks, type Step } from './run-hooks.ts'

const request = {} as FastifyRequest
const calling: Step = (_request, _reply, done) => (done as () => void)()
const failure = new Error('no')

const run = (hooks: Step[], { sent = false, isAfterResponse = false } = {}) =>
  new Promise<unknown>((resolve) => runHooks(hooks, request, { sent } as FastifyReply, resolve, { isAfterResponse }))

describe('hooks', () => {
  test('run one after the other, with a callback or a promise', async () => {
    const order: string[] = []
    const noting =
      (name: string, hook: Step): Step =>
      (...given) => {
        order.push(name)
        return hook(...given)
      }
    expect(await run([noting('one', calling), noting('two', async () => {}), noting('three', calling)])).toBeUndefined()
    expect(order).toEqual(['one', 'two', 'three'])
  })

  test.each<[string, Step]>([
    ['called back with', (_request, _reply, done) => (done as (error: Error) => void)(failure)],
    ['rejected with', () => Promise.reject(failure)],
    [
      'thrown',
      () => {
        throw failure
      },
    ],
  ])('end with an error that is %s', async (_, failing) => {
    const next = vi.fn(calling)
    expect(await run([failing, next])).toBe(failure)
    expect(next).not.toHaveBeenCalled()
  })

  test('end with an error if a promise is rejected without one', async () => {
    expect(await run([() => Promise.reject()])).toEqual(new Error('A hook failed without an error'))
  })

  test('do not run after a response was sent, except those for that', async () => {
    const hook = vi.fn(calling)
    void run([hook], { sent: true })
    expect(hook).not.toHaveBeenCalled()
    await run([hook], { sent: true, isAfterResponse: true })
    expect(hook).toHaveBeenCalledTimes(1)
  })
})

test('hooks with a payload pass it on, changed or not', async () => {
  const replace: Step = (_request, _reply, payload, done) =>
    (done as (error: null, text: string) => void)(null, `${payload}b`)
  const keep: Step = (_request, _reply, _payload, done) => (done as () => void)()
  const append: Step = async (_request, _reply, payload) => `${payload}c`
  const result = await new Promise((resolve) =>
    runPayloadHooks([replace, keep, append], request, {} as FastifyReply, 'a', (...given) => resolve(given)),
  )
  expect(result).toEqual([undefined, 'abc'])
})
