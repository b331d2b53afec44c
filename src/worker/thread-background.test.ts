import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { waitFor } from '../../test/support/wait-for.ts'
import { FaultRules } from '../dev/faults/index.ts'
import { SystemClock } from '../platform/clock/system-clock.ts'
import { createLogger } from '../platform/logging/logger.ts'
import { ThreadBackground } from './thread-background.ts'

const log = { level: 'silent', pretty: false } as const

/** Its thread crashes at start, because its database cannot be opened. */
async function createDoomed(clock = new SystemClock()) {
  const logger = await createLogger(log)
  const crashes = vi.spyOn(logger, 'error')
  const background = new ThreadBackground({
    databasePath: join(tmpdir(), 'no', 'such', 'folder', 'souk.db'),
    documentsFolder: tmpdir(),
    messaging: { eventBridge: { file: join(tmpdir(), 'no-events') } },
    notifyQueue: () => {},
    signing: { required: false, masterSecret: 'a-master-secret', fallbackSecrets: [] },
    log,
    options: {
      concurrency: 1,
      leaseSeconds: 30,
      jobOutageHours: 24,
      maxPendingNotifications: 10,
      sentNotificationsKept: 0,
      delayMilliseconds: 0,
    },
    clock,
    faults: new FaultRules(clock),
    logger,
  })
  return { background, crashes }
}

describe('background work in a thread', () => {
  test('starts no thread before the first job', async () => {
    const { background, crashes } = await createDoomed()
    await background.idle()
    await background.stop()
    expect(crashes).not.toHaveBeenCalled()
  })

  test('resolves idle() when its thread crashes, and can then be stopped', async () => {
    const { background, crashes } = await createDoomed()
    background.wake()
    const idle = background.idle()
    await background.stop()
    await idle
    expect(crashes).toHaveBeenCalledOnce()
  })

  test('survives if no thread can be started, and logs it', async () => {
    const clock = new SystemClock()
    Object.defineProperty(clock, 'position', { get: () => expect.unreachable() })
    const { background, crashes } = await createDoomed(clock)
    background.wake()
    expect(crashes).toHaveBeenCalledExactlyOnceWith(expect.anything(), 'cannot start the worker thread; retrying')
    await background.stop()
  })

  test('starts no thread once it is stopped', async () => {
    const { background, crashes } = await createDoomed()
    await background.stop()
    background.wake()
    await background.idle()
    expect(crashes).not.toHaveBeenCalled()
  })

  test('restarts with the next job after its thread has crashed', async () => {
    const { background, crashes } = await createDoomed()
    background.wake()
    await background.idle()
    background.wake()
    await background.idle()
    await background.stop()
    expect(crashes).toHaveBeenCalledTimes(2)
  })

  test('restarts after a crash although the clock stands still', async () => {
    const clock = new SystemClock()
    clock.freeze()
    const { background, crashes } = await createDoomed(clock)
    background.wake()
    await waitFor(
      () => crashes.mock.calls.length,
      (count) => count > 1,
    )
    await background.stop()
  })
})
