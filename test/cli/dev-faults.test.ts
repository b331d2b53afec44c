import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startStandIn } from '../../src/stand-in/stand-in.ts'
import { REPORTS, RETURNS, US } from '../support/reports.ts'
import { waitFor } from '../support/wait-for.ts'

test('a fault rule hits the worker of souk dev, which is a thread, and counts there', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'souk-faults-'))
  const souk = await startStandIn({ rates: 'off', database: join(folder, 'souk.db'), documents: join(folder, 'docs') })
  const inject = async (method: 'GET' | 'POST', url: string, payload?: object, token = '') =>
    (await souk.inject({ method, url, ...(payload && { payload }), headers: { 'x-amz-access-token': token } })).json()
  const { refreshToken: refresh_token, clientId: client_id, clientSecret: client_secret } = souk.demo
  const grant = { grant_type: 'refresh_token', refresh_token, client_id, client_secret }
  const { access_token } = await inject('POST', '/auth/o2/token', grant)
  const statusOf = async (reportId: string) => {
    await souk.idle()
    return (await inject('GET', `${REPORTS}/${reportId}`, undefined, access_token)).processingStatus
  }
  const request = { reportType: RETURNS, marketplaceIds: [US] }
  const createReport = async () => (await inject('POST', REPORTS, request, access_token)).reportId
  // The thread starts with the first job: one rule is there before, the other one comes later.
  const before = await souk.faults.add({ action: { kind: 'fatal' }, nth: 1 })
  expect(await statusOf(await createReport())).toBe('FATAL')
  const later = await souk.faults.add({ action: { kind: 'stuck', state: 'IN_QUEUE' }, count: 1 })
  const stuck = await createReport()
  expect(await statusOf(stuck)).toBe('IN_QUEUE')
  await souk.snapshot('restarts-the-thread')
  expect(await statusOf(stuck)).toBe('IN_QUEUE')
  expect(await souk.faults.list()).toMatchObject([
    { id: before.id, calls: 2, hits: 1 },
    { id: later.id, calls: 1, hits: 1 },
  ])
  await souk.faults.remove(later.id)
  expect(await statusOf(stuck)).toBe('DONE')
  // Removed while the thread may still be about to postpone the job, to a time that a frozen clock never reaches.
  souk.clock.freeze()
  const brief = await souk.faults.add({ action: { kind: 'stuck' } })
  const released = await createReport()
  await waitFor(
    async () => (await souk.faults.get(brief.id)).hits,
    (hits) => hits > 0,
  )
  await souk.faults.remove(brief.id)
  expect(await statusOf(released)).toBe('DONE')
  await souk.stop()
  rmSync(folder, { recursive: true })
})
