import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { SystemClock } from '../platform/clock/system-clock.ts'
import { createLogger } from '../platform/logging/logger.ts'
import { ThreadBackground } from './thread-background.ts'

const log = { level: 'silent', pretty: false } as const

/** One whose thread falls over as soon as it starts: its database cannot be opened. */
async function createDoomed() {
  const logger = await createLogger(log)
  const falls = vi.spyOn(logger, 'error')
  const background = new ThreadBackground({
    databasePath: join(tmpdir(), 'no', 'such', 'folder', 'souk.db'),
    documentsFolder: tmpdir(),
    messaging: { sqs: {}, eventBridge: { file: join(tmpdir(), 'no-events') } },
    log,
    options: {
      concurrency: 1,
      leaseSeconds: 30,
      jobOutageHours: 24,
      maxPendingNotifications: 10,
      delayMilliseconds: 0,
    },
    clock: new SystemClock(),
    logger,
  })
  return { background, falls }
}

describe('background work in a thread', () => {
  test('does not start the thread before there is something to do', async () => {
    const { background, falls } = await createDoomed()
    await background.idle()
    await background.stop()
    expect(falls).not.toHaveBeenCalled()
  })

  test('keeps nobody waiting when its thread falls over, and can be stopped then', async () => {
    const { background, falls } = await createDoomed()
    background.wake()
    const idle = background.idle()
    await background.stop()
    await idle
    expect(falls).toHaveBeenCalledOnce()
  })

  test('starts no thread once it is stopped', async () => {
    const { background, falls } = await createDoomed()
    await background.stop()
    background.wake()
    await background.idle()
    expect(falls).not.toHaveBeenCalled()
  })

  test('starts again with the next job after its thread has fallen over', async () => {
    const { background, falls } = await createDoomed()
    background.wake()
    await background.idle()
    background.wake()
    await background.idle()
    await background.stop()
    expect(falls).toHaveBeenCalledTimes(2)
  })
})
