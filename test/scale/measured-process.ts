import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { afterEach } from 'vitest'
import { NODE_COMPILE_CACHE } from '../support/compile-cache.ts'

const children = new Set<ChildProcess>()
afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  children.clear()
})

/**
 * Starts a program that sends a message when it has started, and another one with its result. With a large heap V8 defers
 * garbage collection, up to 200 MB in a long run. A small heap shows the memory that is needed. A process that needs more
 * crashes.
 */
export function startMeasured<Result>(program: string, args: string[], heapMegabytes: number) {
  const execArgv = [`--max-old-space-size=${heapMegabytes}`, '--max-semi-space-size=4', '--expose-gc']
  const env = { ...process.env, NODE_COMPILE_CACHE }
  const child = fork(program, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], execArgv, env })
  children.add(child)
  const started = once(child, 'message')
  const failed = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`The process ended without a result: ${code ?? signal}`)
  })
  const result = started.then(() => once(child, 'message')).then(([sent]) => sent as Result)
  const ended = Promise.race([result, failed])
  // A test that kills a process does not wait for its result.
  ended.catch(() => {})
  return { child, started, ended }
}
