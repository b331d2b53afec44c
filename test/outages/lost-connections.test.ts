import pg from 'pg'
import { expect, test } from 'vitest'
import { startProcesses } from '../support/service-processes.ts'
import { waitFor } from '../support/wait-for.ts'

test('souk serve and souk worker continue after their idle PostgreSQL connections were closed', async () => {
  const place = await startProcesses({ leaseSeconds: 30 })
  const { serve, url } = await place.startServe()
  const worker = place.startWorker()
  await worker.waitFor(/"msg":"worker started"/)
  const admin = new pg.Client(place.env.SOUK_DATABASE_URL)
  await admin.connect()
  const terminated = await waitFor(
    async () => (await admin.query(terminateIdleConnections)).rowCount ?? 0,
    (count) => count > 1,
  )
  expect(terminated).toBeGreaterThan(1)
  await admin.end()
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  expect(await serve.stop()).toMatchObject({ code: 0, stderr: '' })
  expect(await worker.stop()).toMatchObject({ code: 0, stderr: '' })
})

const terminateIdleConnections = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and state = 'idle' and pid <> pg_backend_pid()`
