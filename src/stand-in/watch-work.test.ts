import { expect, test } from 'vitest'
import { Gate } from '../http/gate.ts'
import { ManualClock } from '../platform/clock/manual-clock.ts'
import type { Database } from '../platform/database/port.ts'
import type { Background } from '../worker/background.ts'
import { watchWork } from './watch-work.ts'

/** A worker whose work ends when the test says so, or when it is stopped. */
function startWorker(): Background & { end(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { wake() {}, idle: () => promise, stop: async () => resolve(), end: resolve }
}

test('work that a snapshot interrupts is not over before the next worker has finished it', async () => {
  const gate = new Gate()
  const [first, second] = [startWorker(), startWorker()]
  let background: Background | undefined = first
  const { progressControl } = watchWork({
    gate,
    database: {} as Database,
    clock: new ManualClock('2026-06-01T12:00:00Z'),
    background: () => background,
  })
  const happened: string[] = []
  const idle = progressControl.idle().then(() => happened.push('idle'))
  await gate.runExclusive(async () => {
    background = undefined
    await first.stop()
    await new Promise(setImmediate)
    background = second
  })
  await new Promise(setImmediate)
  happened.push('work done')
  second.end()
  await idle
  expect(happened).toEqual(['work done', 'idle'])
})

test('the progress of exclusive work is read without the database, whose readers may have to wait for that work', async () => {
  const gate = new Gate()
  const { progress, progressControl } = watchWork({
    gate,
    database: { read: () => new Promise(() => {}) } as unknown as Database,
    clock: new ManualClock('2026-06-01T12:00:00Z'),
    background: () => undefined,
  })
  const read = progressControl.open()
  await gate.runExclusive(async () => {
    const task = progress.start('import', { total: 10 })
    task.report(4)
    expect(await read({ isIdle: false })).toEqual([{ task: 'import', done: 4, total: 10 }])
    task.end()
  })
})
