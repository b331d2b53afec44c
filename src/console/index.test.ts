import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { PasswordHasher } from '../platform/auth/password.ts'
import { ManualClock } from '../platform/clock/manual-clock.ts'
import type { Database } from '../platform/database/port.ts'
import { SequentialIds } from '../platform/ids/sequential-ids.ts'
import { MemoryThrottle } from '../platform/throttle/memory-throttle.ts'
import { createConsole } from './index.ts'

test('a session may send 200 requests at once and then 50 per second', async () => {
  const realTime = new ManualClock('2026-06-01T12:00:00Z')
  const { authentication } = createConsole({
    database: {} as Database,
    clock: new ManualClock('2026-06-01T12:00:00Z'),
    ids: new SequentialIds(),
    version: '1.0.0',
    folder: 'nowhere',
    documentOrigin: async () => undefined,
    passwords: new PasswordHasher(),
    operatorKeyDigests: [],
    publicUrl: () => 'http://127.0.0.1:4700',
    throttle: new MemoryThrottle(realTime),
    findDenial: () => undefined,
  })
  const request = { headers: { 'x-souk-console': '1' } } as unknown as FastifyRequest
  const sendMany = async (count: number) => {
    const results = await Promise.allSettled(
      Array.from({ length: count }, () => authentication.requireOperator(request)),
    )
    return results.filter(({ status }) => status === 'fulfilled').length
  }
  expect(await sendMany(250)).toBe(200)
  realTime.advance(1000)
  expect(await sendMany(250)).toBe(50)
  await expect(authentication.requireOperator(request)).rejects.toMatchObject({ code: 'QuotaExceeded' })
})
