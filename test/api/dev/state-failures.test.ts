import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { testDialect } from '../../support/databases.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'
import { temporaryFolder } from '../../support/souk-process.ts'

const onSqlite = test.skipIf(testDialect === 'postgres')

type Get = (path: string) => Promise<unknown>

/** Returns what reads the document of a new report. */
async function createReport(souk: TestSouk) {
  const token = await souk.tokenFor(souk.demo.refreshToken)
  const payload = { reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA', marketplaceIds: [souk.demo.marketplaceId] }
  const created = await souk.post('/reports/2021-06-30/reports', { token, payload })
  await souk.idle()
  const ofSouk: Get = async (path) => (await souk.get(path, { token })).json()
  return async (get: Get = ofSouk) => {
    const report = await get(`/reports/2021-06-30/reports/${created.json().reportId}`)
    const { reportDocumentId } = report as { reportDocumentId: string }
    const { url } = (await get(`/reports/2021-06-30/documents/${reportDocumentId}`)) as { url: string }
    const downloaded = await fetch(url)
    return { status: downloaded.status, text: await downloaded.text() }
  }
}

const timeOf = async (souk: TestSouk) => (await souk.get('/_souk/clock')).json().now

describe('a stand-in with a database file', () => {
  onSqlite('keeps its rows, documents and clock if a reset or a restore fails', async () => {
    const folder = temporaryFolder()
    const documents = join(folder, 'documents')
    const database = join(folder, 'souk.db')
    const souk = await startTestSouk({ database, documents, snapshots: join(folder, 'snapshots') })
    await souk.reset()
    const readFirst = await createReport(souk)
    await souk.snapshot('first')
    await souk.reset()
    await souk.post('/_souk/clock', { payload: { advanceSeconds: 7200 } })
    const time = await timeOf(souk)

    // The documents of the snapshot cannot be copied.
    writeFileSync(join(documents, 'reports'), 'mine')
    expect(errorOf(await souk.post('/_souk/snapshots/first/restore')).status).toBe(503)
    rmSync(join(documents, 'reports'))
    expect(await timeOf(souk)).toBe(time)
    const readSecond = await createReport(souk)
    const second = await readSecond()
    expect(second.status).toBe(200)

    await souk.restore('first')
    expect((await readFirst()).status).toBe(200)
  })
})

describe('calls at the same time', () => {
  onSqlite('take one snapshot of a name, unless it may be replaced', async () => {
    const souk = await startTestSouk()
    const take = () => souk.post('/_souk/snapshots', { payload: { name: 'a' } })
    const taken = await Promise.all([take(), take()])
    expect(taken.map(({ statusCode }) => statusCode)).toEqual([201, 400])
  })

  onSqlite('restore the snapshot that was taken before them, with its time', async () => {
    const souk = await startTestSouk()
    await souk.snapshot('a')
    await souk.post('/_souk/clock', { payload: { advanceSeconds: 7200 } })
    const time = await timeOf(souk)
    await Promise.all([souk.snapshot('a'), souk.restore('a')])
    expect(await timeOf(souk)).toBe(time)
  })

  onSqlite('fork a snapshot with its documents before it is deleted', async () => {
    const souk = await startTestSouk()
    const read = await createReport(souk)
    await souk.snapshot('a')
    const [fork, deleted] = await Promise.all([souk.fork({ snapshot: 'a' }), souk.delete('/_souk/snapshots/a')])
    expect(deleted.statusCode).toBe(204)
    const { clientId: client_id, clientSecret: client_secret, refreshToken: refresh_token } = fork.demo
    const body = new URLSearchParams({ grant_type: 'refresh_token', client_id, client_secret, refresh_token })
    const granted = await fetch(`${fork.url}/auth/o2/token`, { method: 'POST', body })
    const { access_token } = (await granted.json()) as { access_token: string }
    const headers = { 'x-amz-access-token': access_token }
    expect(await read(async (path) => (await fetch(fork.url + path, { headers })).json())).toEqual(await read())
  })
})
