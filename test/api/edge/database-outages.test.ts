import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Routes } from '../../../src/http/route.ts'
import { toConnectError, toDatabaseUnavailableError } from '../../../src/platform/database/postgres-errors.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

const target = { host: 'db', port: 5432, user: 'souk', database: 'souk', ssl: false }
const ofStatement = (code: string) =>
  toDatabaseUnavailableError(Object.assign(new pg.DatabaseError('secret detail', 0, 'error'), { code }))
const ofConnection = (code: string) =>
  toConnectError({ error: Object.assign(new Error('secret detail'), { code }), target })

const OUTAGES: Record<string, () => unknown> = {
  'read-only (25006)': () => ofStatement('25006'),
  'connection failure (08006)': () => ofStatement('08006'),
  'disk full (53100)': () => ofStatement('53100'),
  'too many connections (53300)': () => ofStatement('53300'),
  'connection terminated (57P01)': () => ofStatement('57P01'),
  'starting (57P03)': () => ofStatement('57P03'),
  'input/output error (58030)': () => ofStatement('58030'),
  'unknown host (ENOTFOUND)': () => ofConnection('ENOTFOUND'),
  'connection refused (ECONNREFUSED)': () => ofConnection('ECONNREFUSED'),
  'connection reset (ECONNRESET)': () => ofConnection('ECONNRESET'),
}

let souk: TestSouk
let error: unknown
const failing: Routes = (app) => {
  const schema = { operationId: 'probeOutage', tags: ['probe'], summary: 'Fail' }
  app.get('/probe/outage', { config: { access: 'public' }, schema }, async () => {
    throw error
  })
}
beforeAll(async () => {
  souk = await startTestSouk({ extraRoutes: [failing] })
})

describe('a failure of the database gets 503 with the time of the next attempt, and no details', () => {
  test.each(Object.entries(OUTAGES))('%s', async (_, create) => {
    error = create()
    const response = await souk.get('/probe/outage')
    expect(response.statusCode).toBe(503)
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
    expect(errorOf(response).code).toBe('ServiceUnavailable')
    expect(response.body).not.toContain('secret detail')
  })
})
