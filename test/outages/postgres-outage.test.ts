import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPostgres } from '../support/postgres-server.ts'
import { createReportMarketplace, ROWS } from '../support/process-marketplace.ts'
import { startProcesses } from '../support/service-processes.ts'
import type { SoukProcess } from '../support/souk-process.ts'
import { waitFor } from '../support/wait-for.ts'

const CLIENTS = 8
// Connecting, one statement and the grace of the connection's watchdog, with room for a busy machine.
const MAX_RESPONSE_MILLISECONDS = 20_000
const SOUK_OPERATOR_KEY = 'an-operator-key-for-tests'
const env = {
  SOUK_DATABASE_CONNECT_TIMEOUT_SECONDS: '1',
  SOUK_DATABASE_STATEMENT_TIMEOUT_SECONDS: '1',
  SOUK_DRAIN_SECONDS: '0',
}

let server: Awaited<ReturnType<typeof startPostgres>>
let databasesMade = 0
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.stop())

/** `souk serve` and `souk worker` on a database of their own. */
async function startService() {
  const name = `outage_${++databasesMade}`
  const databaseUrl = await server.createMigratedDatabase(name)
  const place = await startProcesses({ leaseSeconds: 3, databaseUrl, env })
  const { serve, url } = await place.startServe()
  const worker = place.startWorker()
  await worker.waitFor(/"msg":"worker started"/)
  const seller = await createReportMarketplace(url, SOUK_OPERATOR_KEY)
  return { name, databaseUrl, serve, worker, url, seller }
}

type Service = Awaited<ReturnType<typeof startService>>

interface Answer {
  status: number
  retryAfter: string | null
  milliseconds: number
}

async function ask(url: string, path: string, init: RequestInit = {}): Promise<Answer> {
  const began = performance.now()
  const response = await fetch(url + path, {
    ...init,
    headers: { authorization: `Bearer ${SOUK_OPERATOR_KEY}`, 'content-type': 'application/json' },
  })
  await response.arrayBuffer()
  const milliseconds = performance.now() - began
  return { status: response.status, retryAfter: response.headers.get('retry-after'), milliseconds }
}

const write = (url: string, marketplaceId: string) =>
  ask(url, '/operator/v1/marketplaces', {
    method: 'PUT',
    body: JSON.stringify({ marketplaces: [{ ...marketplace, marketplaceId }] }),
  })

const marketplace = {
  countryCode: 'FR',
  currencyCode: 'EUR',
  languageCode: 'fr_FR',
  name: 'Souk',
  domainName: 'souk.example',
}

/** Clients that write without a pause until they are stopped; what was acknowledged must never be lost. */
function startWriting(url: string) {
  const acknowledged: string[] = []
  const answers: Answer[] = []
  let isOver = false
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let count = 0; !isOver; count++) {
      const marketplaceId = `W${client}X${count}`
      const answer = await write(url, marketplaceId)
      answers.push(answer)
      if (answer.status === 200) acknowledged.push(marketplaceId)
    }
  })
  return {
    acknowledged,
    answers,
    async stop() {
      isOver = true
      await Promise.all(clients)
      expectOutage(answers.filter(({ status }) => status !== 200))
    },
  }
}

function expectOutage(answers: readonly Answer[]): void {
  for (const answer of answers) {
    expect(answer).toMatchObject({ status: 503, retryAfter: expect.stringMatching(/^\d+$/) })
    expect(answer.milliseconds).toBeLessThan(MAX_RESPONSE_MILLISECONDS)
  }
}

const becomesReady = (url: string) =>
  waitFor(
    async () => (await ask(url, '/readyz')).status,
    (status) => status === 200,
  )

/** Both processes work, and no acknowledged data is lost. */
async function expectRecovery({ databaseUrl, serve, worker, url, seller }: Service, acknowledged: readonly string[]) {
  await becomesReady(url)
  const reader = new pg.Client(databaseUrl)
  await reader.connect()
  const { rows } = await reader.query<{ marketplace_id: string }>('select marketplace_id from marketplaces')
  await reader.end()
  const kept = new Set(rows.map((row) => row.marketplace_id))
  expect(acknowledged.filter((marketplaceId) => !kept.has(marketplaceId))).toEqual([])
  const reportId = await seller.createReport(url)
  const report = await waitFor(
    async () => (await seller.getReports(url)).find((one) => one.reportId === reportId),
    (seen) => seen?.processingStatus === 'DONE',
  )
  expect(await seller.countRows(url, report?.reportDocumentId)).toBe(ROWS)
  await expectCleanEnd(serve, worker)
}

async function expectCleanEnd(...processes: SoukProcess[]): Promise<void> {
  for (const ending of await Promise.all(processes.map((souk) => souk.stop()))) {
    expect(ending).toMatchObject({ code: 0, stderr: '' })
  }
}

test('connections terminated during a request cause at most a 503', async () => {
  const service = await startService()
  const admin = new pg.Client(`${server.url}/postgres`)
  await admin.connect()
  const writing = startWriting(service.url)
  const terminate = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = '${service.name}' and state <> 'idle'`
  let terminated = 0
  while (terminated < 50 || writing.acknowledged.length < 50) {
    terminated += (await admin.query(terminate)).rowCount ?? 0
    await ask(service.url, '/healthz')
  }
  await writing.stop()
  await admin.end()
  await expectRecovery(service, writing.acknowledged)
})

test('souk serve and souk worker stop even if the server does not respond', async () => {
  const { serve, worker } = await startService()
  const frozen = await server.freeze()
  try {
    for (const souk of [serve, worker]) expect(await souk.stop()).toMatchObject({ code: 0, stderr: '' })
  } finally {
    await frozen.resume()
  }
})

test('a read-only server is not ready and refuses writes with 503, until it accepts them again', async () => {
  const service = await startService()
  const admin = new pg.Client(`${server.url}/postgres`)
  await admin.connect()
  const setReadOnly = async (value: 'on' | 'off') => {
    await admin.query('set default_transaction_read_only = off')
    await admin.query(`alter system set default_transaction_read_only = ${value}`)
    await admin.query('select pg_reload_conf()')
  }
  expect((await ask(service.url, '/readyz')).status).toBe(200)
  await setReadOnly('on')
  try {
    const notReady = await waitFor(
      () => ask(service.url, '/readyz'),
      ({ status }) => status !== 200,
    )
    expectOutage([notReady, await write(service.url, 'WREADONLY')])
    expect((await ask(service.url, '/operator/v1/sellers')).status).toBe(200)
  } finally {
    await setReadOnly('off')
    await admin.end()
  }
  await expectRecovery(service, [])
})
