import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { DatabaseUnavailableError } from './port.ts'
import { NoResponseError, toConnectError, toDatabaseUnavailableError } from './postgres-errors.ts'
import { SilenceMonitor } from './postgres-silence.ts'

const MILLISECONDS = 1_500
// The tick that begins the silence, and those before it.
const SILENT_AFTER = 1_750
const target = { host: 'host', port: 5432, user: 'user', database: 'database', ssl: false }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const never = () => new Promise<never>(() => {})

function openMonitor(probe: (isSilent: boolean) => Promise<unknown> = never) {
  const logged: string[] = []
  const onSilence = vi.fn()
  const logger = {
    info: (message: string) => logged.push(message),
    warn: (_: object, message: string) => logged.push(message),
    error: () => {},
  }
  const spied = vi.fn(probe)
  const monitor = new SilenceMonitor({ milliseconds: MILLISECONDS, probe: spied, onSilence, logger: logger as never })
  /** Something that the server never responds to. */
  const wait = () => {
    const outcome = { error: undefined as Error | undefined }
    monitor.whileHeard(never).catch((error: Error) => {
      outcome.error = error
    })
    return outcome
  }
  return { monitor, probe: spied, onSilence, logged, wait }
}

test('a server that has never responded is not silent: the first connection has its own deadline', async () => {
  const { monitor, probe, onSilence, wait } = openMonitor()
  const waiting = wait()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(waiting.error).toBeUndefined()
  expect(probe).not.toHaveBeenCalled()
  monitor.heard()
  await vi.advanceTimersByTimeAsync(SILENT_AFTER)
  expect(waiting.error).toBeInstanceOf(NoResponseError)
  expect(onSilence).toHaveBeenCalledOnce()
})

test('one probe at a time, and one that begins in the silence may take as long as a statement', async () => {
  const fails: (() => void)[] = []
  const { monitor, probe, wait } = openMonitor(
    () => new Promise((_, reject) => fails.push(() => reject(new NoResponseError('late')))),
  )
  monitor.heard()
  wait()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(probe.mock.calls).toEqual([[false]])
  fails[0]?.()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(probe.mock.calls).toEqual([[false], [true]])
})

describe('an error of the probe', () => {
  const busy = new pg.DatabaseError('sorry, too many clients already', 0, 'error')
  busy.code = '53300'
  const withoutServer = new pg.DatabaseError('server login has been failing, try again later', 0, 'error')
  withoutServer.code = '08P01'
  const withCode = (code: string) => Object.assign(new Error(code), { code, syscall: 'connect' })

  test.each([
    ['of the server', busy],
    ['of the server, as an outage', toDatabaseUnavailableError(busy)],
    ['of the server instead of a connection', toConnectError({ error: busy, target })],
    ['because nothing listens', toConnectError({ error: withCode('ECONNREFUSED'), target })],
  ])('%s is a response', async (_, error) => {
    const { monitor, onSilence, wait } = openMonitor(() => Promise.reject(error))
    monitor.heard()
    wait()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(onSilence).not.toHaveBeenCalled()
  })

  test.each([
    ['of a host that is gone', toConnectError({ error: withCode('EHOSTUNREACH'), target })],
    ['of a network that drops packets', toConnectError({ error: withCode('ETIMEDOUT'), target })],
    ['of a proxy without a server', toConnectError({ error: new Error('Connection terminated unexpectedly'), target })],
    ['of a pooler without a server', toDatabaseUnavailableError(withoutServer)],
    ['of a lost connection', new DatabaseUnavailableError('lost', { cause: withCode('ECONNRESET') })],
    ['without a response', new NoResponseError('late')],
  ])('%s is none: the silence begins once, and lasts', async (_, error) => {
    const { monitor, onSilence, logged, wait } = openMonitor(() => Promise.reject(error))
    monitor.heard()
    const waiting = wait()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(waiting.error).toBe(monitor.error)
    expect(onSilence).toHaveBeenCalledOnce()
    expect(logged).toEqual(['PostgreSQL does not respond; requests are refused until it does'])
    monitor.heard()
    expect(monitor.error).toBeUndefined()
    expect(logged).toHaveLength(2)
  })
})
