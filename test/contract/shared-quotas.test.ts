import { Redis } from 'iovalkey'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { ManualClock } from '../../src/platform/clock/manual-clock.ts'
import { createLogger, type Logger } from '../../src/platform/logging/logger.ts'
import { MemoryThrottle } from '../../src/platform/throttle/memory-throttle.ts'
import type { Rate } from '../../src/platform/throttle/port.ts'
import { QuotaServer } from '../../src/platform/throttle/quota-server.ts'
import { SharedThrottle } from '../../src/platform/throttle/shared-throttle.ts'
import { FaultyProxy, type Mode } from '../support/faulty-proxy.ts'
import { findRedisServer, type RedisServer, startRedisServer } from '../support/redis-server.ts'
import { waitFor } from '../support/wait-for.ts'

const HOUR = 3_600_000
// The server has a real clock, so buckets fill too slowly to notice.
const SLOW: Rate = { perSecond: 0.001, burst: 20 }
const REFILL = 1_000_000
// A busy machine can take a while to respond.
const TIMEOUT = 500
// Three times as long is still less than a process waits for a connection.
const LATE = 200
const IN_TIME = 10 * TIMEOUT
const logger = await createLogger({ level: 'silent', pretty: false })
const command = findRedisServer()

let server: RedisServer
let proxy: FaultyProxy
let observer: Redis
const opened: QuotaServer[] = []

describe.skipIf(!command)('quotas of several processes', () => {
  beforeAll(async () => {
    server = await startRedisServer(command as string)
    proxy = await new FaultyProxy(server.port).open()
    observer = new Redis(server.url, { retryStrategy: () => 20 })
    observer.on('error', () => {})
  })
  beforeEach(async () => {
    await proxy.set('passing')
    await observer.flushall()
  })
  afterEach(() => {
    for (const one of opened.splice(0)) one.close()
  })
  afterAll(async () => {
    observer.disconnect()
    await proxy.close()
    await server.stop()
  })

  test('two processes share one bucket exactly', async () => {
    const [one, other] = [await startProcess(), await startProcess()]
    const taken = await Promise.all(Array.from({ length: 100 }, (_, n) => (n % 2 ? one : other).take('a', SLOW)))
    expect(taken.filter(Boolean)).toHaveLength(SLOW.burst)
    expect(await takeMany(one, 'b', SLOW, 5)).toBe(5)
    expect(await takeMany(other, 'b', SLOW, 100)).toBe(SLOW.burst - 5)
  })

  test('a bucket refills at its rate, and not beyond its burst', async () => {
    const process = await startProcess()
    expect(await takeMany(process, 'a', SLOW, 50)).toBe(SLOW.burst)
    await passTime(process, 6 * REFILL)
    expect(await takeMany(process, 'a', SLOW, 50)).toBe(6)
    await passTime(process, 100 * REFILL)
    expect(await takeMany(process, 'a', SLOW, 50)).toBe(SLOW.burst)
  })

  test('a restarted process finds its buckets as they were', async () => {
    expect(await takeMany(await startProcess(), 'a', SLOW, 15)).toBe(15)
    expect(await takeMany(await startProcess(), 'a', SLOW, 50)).toBe(5)
  })

  test('a restarted server does not refill the buckets that a process knows', async () => {
    const process = await startProcess()
    expect(await takeMany(process, 'a', SLOW, 15)).toBe(15)
    await server.kill()
    await waitFor(
      () => process.isShared,
      (isShared) => !isShared,
    )
    await server.start()
    await waitFor(
      () => process.isShared,
      (isShared) => isShared,
    )
    expect(await takeMany(process, 'a', SLOW, 50)).toBe(5)
  })

  test('a client that calls too often causes no call to the server', async () => {
    const process = await startProcess()
    await takeMany(process, 'a', SLOW, 50)
    const { calls } = process
    expect(calls).toBe(SLOW.burst)
    expect(await takeMany(process, 'a', SLOW, 500)).toBe(0)
    expect(process.calls).toBe(calls)
  })

  test('a caller that is refused learns when the bucket has a request again', async () => {
    const process = await startProcess()
    await takeMany(process, 'a', SLOW, 50)
    const { left, nextInMilliseconds } = process.stateOf('a', SLOW)
    expect(left).toBeLessThan(1)
    expect(nextInMilliseconds).toBeGreaterThan(0.9 * REFILL)
    expect(nextInMilliseconds).toBeLessThanOrEqual(REFILL)
  })

  describe('when the clock of the server is set back an hour', () => {
    test('a bucket still allows its remaining requests', async () => {
      await takeMany(await startProcess(), 'used', SLOW, 17)
      await setClockBack(HOUR)
      expect(await takeMany(await startProcess(), 'used', SLOW, 50)).toBe(3)
    })

    test('an empty bucket stays empty, and refills at its own rate', async () => {
      await takeMany(await startProcess(), 'empty', SLOW, 50)
      await setClockBack(HOUR)
      const process = await startProcess()
      expect(await takeMany(process, 'empty', SLOW, 50)).toBe(0)
      await passTime(process, 2 * REFILL)
      expect(await takeMany(process, 'empty', SLOW, 50)).toBe(2)
    })
  })

  describe.each<[string, Mode | 'killed' | 'hung']>([
    ['killed', 'killed'],
    ['hung', 'hung'],
    ['unreachable', 'refusing'],
    ['silent', 'silent'],
    ['dripping', 'dripping'],
    ['resetting connections', 'resetting'],
  ])('while the server is %s', (_, failure) => {
    test('each process grants its part of the quota in time, and shares again afterward', async () => {
      const process = await startProcess({ ...proxied(), processes: 4 })
      // Half of the bucket is left: an outage must not fill it.
      expect(await takeMany(process, 'a', SLOW, 10)).toBe(10)
      await fail(failure)
      const began = performance.now()
      expect(await takeMany(process, 'a', SLOW, 50)).toBe(Math.floor(10 / 4))
      expect(await takeMany(process, 'other', SLOW, 50)).toBe(SLOW.burst / 4)
      expect(performance.now() - began).toBeLessThan(IN_TIME)
      expect(process.isShared).toBe(false)
      expect(measured(process, 'souk_quota_server_up')).toBe(0)

      await recover(failure)
      await waitFor(
        () => process.isShared,
        (isShared) => isShared,
      )
      expect(measured(process, 'souk_quota_server_up')).toBe(1)
      expect(await takeMany(await startProcess(), 'new', SLOW, 15)).toBe(15)
      expect(await takeMany(process, 'new', SLOW, 50)).toBe(5)
    })
  })

  describe.each([
    ['every call', 'souk:quota:'],
    ['every call except the first of a connection', 'souk:quota:slow'],
  ])('while the server is late for %s', (_, delayed) => {
    afterEach(() => vi.restoreAllMocks())

    test('a process logs one outage, and tries less and less often', async () => {
      // Loads the script of the server: loading it takes a call.
      await startProcess()
      // The longest pauses: 250, 500 and 1,000 ms.
      vi.spyOn(Math, 'random').mockReturnValue(1)
      const { lines, log } = recordLines()
      await proxy.set('delaying', { delayed, delayMilliseconds: 3 * LATE })
      const before = proxy.connections
      const process = await startProcess({ ...proxied(), timeoutMilliseconds: LATE, log })
      const began = performance.now()
      let calls = 0
      await waitFor(
        async () => {
          await process.take(`slow-${calls++}`, SLOW)
          return proxy.connections
        },
        (connections) => connections >= before + 4,
      )
      expect(performance.now() - began).toBeGreaterThan(1_700)
      expect(lines.filter((line) => line !== CONNECTED)).toEqual([UNAVAILABLE])
    })
  })

  test('a process logs the end of an outage when its connection has lasted', async () => {
    const { lines, log } = recordLines()
    const process = await startProcess({ ...proxied(), log })
    await proxy.set('resetting')
    await process.take('a', SLOW)
    await proxy.set('passing')
    await waitFor(
      () => process.isShared,
      (isShared) => isShared,
    )
    expect(lines).toEqual([CONNECTED, UNAVAILABLE])
    await waitFor(
      () => lines.length,
      (count) => count > 2,
    )
    expect(lines).toEqual([CONNECTED, UNAVAILABLE, 'quota server available again'])
  })

  test('a process starts while the server is unreachable', async () => {
    await proxy.set('refusing')
    const process = await startProcess({ ...proxied(), processes: 2 })
    expect(await takeMany(process, 'a', SLOW, 50)).toBe(SLOW.burst / 2)
  })
})

test('without a server, each process grants its part of the quota, and at least one request', async () => {
  const own = new MemoryThrottle(new ManualClock('2026-01-01T00:00:00Z'))
  const throttle = new SharedThrottle({ own, processes: 4 })
  expect([1, 2, 3, 4, 5, 6].map(() => throttle.take('a', SLOW)).filter(Boolean)).toHaveLength(5)
  expect([1, 2].map(() => throttle.take('b', { perSecond: 1, burst: 1 }))).toEqual([true, false])
})

const proxied = () => ({ url: proxy.through(server.url), timeoutMilliseconds: TIMEOUT })

const CONNECTED = 'connected to the quota server'
const UNAVAILABLE = 'quota server unavailable; this process counts quotas on its own'

function recordLines() {
  const lines: string[] = []
  const info = (message: string) => lines.push(message)
  const warn = (_fields: object, message: string) => lines.push(message)
  return { lines, log: { info, warn } as unknown as Logger }
}

type Process = Awaited<ReturnType<typeof startProcess>>

async function startProcess({ url = server.url, processes = 1, timeoutMilliseconds = 10_000, log = logger } = {}) {
  const quotaServer = new QuotaServer({ url, timeoutMilliseconds, logger: log })
  opened.push(quotaServer)
  await quotaServer.ready
  const clock = new ManualClock('2026-01-01T00:00:00Z')
  const throttle = new SharedThrottle({ own: new MemoryThrottle(clock), server: quotaServer, processes })
  return {
    clock,
    take: (key: string, rate: Rate) => throttle.take(key, rate),
    stateOf: (key: string, rate: Rate) => throttle.stateOf(key, rate),
    metrics: throttle.metrics,
    get calls() {
      return quotaServer.duration.read().find(({ metricName }) => metricName?.endsWith('_count'))?.value
    },
    get isShared() {
      return quotaServer.isAvailable
    },
  }
}

async function takeMany(process: Process, key: string, rate: Rate, times: number): Promise<number> {
  let taken = 0
  for (let call = 0; call < times; call++) if (await process.take(key, rate)) taken++
  return taken
}

function measured(process: Process, name: string): number | undefined {
  const samples = process.metrics.find((one) => one.name === name)?.read() as readonly { value: number }[]
  return samples[0]?.value
}

/** Moves the times of all buckets, as if the clock of the server had been moved the other way. */
async function moveBuckets(milliseconds: number): Promise<void> {
  for (const key of await observer.keys('souk:quota:*')) {
    const [writtenAt, fullIn] = ((await observer.get(key)) ?? '').split(' ').map(Number) as [number, number]
    await observer.set(key, `${writtenAt + milliseconds} ${fullIn}`)
  }
}
const setClockBack = moveBuckets
async function passTime({ clock }: Process, milliseconds: number): Promise<void> {
  clock.advance(milliseconds)
  await moveBuckets(-milliseconds)
}

async function fail(failure: Mode | 'killed' | 'hung'): Promise<void> {
  if (failure === 'killed') await server.kill()
  else if (failure === 'hung') server.freeze()
  else await proxy.set(failure)
}

async function recover(failure: Mode | 'killed' | 'hung'): Promise<void> {
  if (failure === 'killed') await server.start()
  else if (failure === 'hung') server.resume()
  else await proxy.set('passing')
}
