import { execFile } from 'node:child_process'
import { delimiter } from 'node:path'
import { promisify } from 'node:util'
import { startFauxqs } from 'fauxqs'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import {
  type BucketPlace,
  createBucketPlace,
  createFolderPlace,
  type DocumentPlace,
} from '../support/document-places.ts'
import { codeBlocks } from '../support/documented-commands.ts'
import { findInstalledPostgres, type InstalledPostgres, startInstalledPostgres } from '../support/installed-postgres.ts'
import { type BazaarSeller, createReportMarketplace, ROWS } from '../support/process-marketplace.ts'
import { startProcesses } from '../support/service-processes.ts'
import { runSouk, temporaryFolder } from '../support/souk-process.ts'
import { waitFor } from '../support/wait-for.ts'

const MAX_WAITING = 5
const OLD = '2020-01-01T00:00:00.000Z'
const programs = findInstalledPostgres()
const [backup = '', restore = ''] = codeBlocks('docs/operating.md', 'sh').filter((block) =>
  /pg_(dump|restore)/.test(block),
)
const [saveDatabase = '', saveFolder = ''] = backup.split('\n')
const [restoreDatabase = '', restoreFolder = '', migrate = ''] = restore.split('\n')

let server: InstalledPostgres

/** Reports and feeds without a pause. What was acknowledged before the backup must be in it. */
function startWork(url: string, seller: BazaarSeller, countDone: () => Promise<number>) {
  const reports: string[] = []
  const feeds: string[] = []
  let isOver = false
  const create = async () => {
    for (let count = 0; !isOver; count++) {
      // Some are always waiting or running.
      await waitFor(countDone, (done) => isOver || done >= reports.length - MAX_WAITING)
      reports.push(await seller.createReport(url))
      feeds.push(await seller.submitFeed(url, [{ messageId: 1, sku: `SKU-${count}`, operationType: 'DELETE' }]))
    }
  }
  const ended = create()
  return {
    reports,
    feeds,
    async stop() {
      isOver = true
      await ended
    },
  }
}

async function select<Row extends pg.QueryResultRow>(databaseUrl: string, sql: string): Promise<Row[]> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}

/** The documents that rows name, by their path. */
async function namedDocuments(databaseUrl: string): Promise<string[]> {
  const rows = await select<{ path: string }>(
    databaseUrl,
    `select 'reports/' || document_id as path from reports where status = 'DONE' and created_at > '${OLD}'
     union select 'feeds/' || input_document_id from feeds
     union select 'feeds/' || result_document_id from feeds where status = 'DONE'`,
  )
  return rows.map(({ path }) => path)
}

async function run(commands: string, env: Record<string, string>): Promise<void> {
  const souk = `souk() { '${process.execPath}' '${inject('soukCommand')}' "$@"; }\n`
  const path = `${programs}${delimiter}${process.env.PATH}`
  await promisify(execFile)('bash', ['-ec', souk + commands], { env: { ...process.env, PATH: path, ...env } })
}

/** Saves and restores a service under load, whose documents are in one place and are restored to another. */
async function surviveRestore(
  name: string,
  source: DocumentPlace,
  { save, restore }: Record<'save' | 'restore', (folder: string) => Promise<DocumentPlace>>,
): Promise<void> {
  const [databaseUrl, restoredUrl] = [`${server.url}/${name}`, `${server.url}/${name}_restored`]
  for (const one of [name, `${name}_restored`]) await select(`${server.url}/postgres`, `create database ${one}`)
  expect(await runSouk(['migrate'], { env: { SOUK_DATABASE_URL: databaseUrl } })).toMatchObject({ code: 0 })
  const before = await startProcesses({ leaseSeconds: 3, databaseUrl, env: source.env })
  const { serve, url } = await before.startServe()
  const worker = before.startWorker()
  const seller = await createReportMarketplace(url, before.env.SOUK_OPERATOR_KEY)
  const countReports = async () => (await source.list('reports/')).length
  const work = startWork(url, seller, countReports)
  const done = await waitFor(
    async () => (await before.remains.reports()).filter(({ status }) => status === 'DONE'),
    ({ length }) => length >= 3,
  )
  const expired = done[0] as (typeof done)[number]
  await select(databaseUrl, `update reports set created_at = '${OLD}' where report_id = '${expired.report_id}'`)

  const folder = temporaryFolder()
  const saved = { reports: [...work.reports], feeds: [...work.feeds] }
  await run(saveDatabase, { SOUK_DATABASE_URL: databaseUrl, BACKUP: folder })
  // What a sweep does that runs in between: the document of an expired row is deleted.
  await source.remove(`reports/${expired.document_id}`)
  await waitFor(countReports, (count) => count > done.length)
  await save(folder)
  await work.stop()
  await Promise.all([serve.stop('SIGKILL'), worker.stop('SIGKILL')])

  await run(restoreDatabase, { SOUK_DATABASE_URL: restoredUrl, BACKUP: folder })
  const target = await restore(folder)
  await run(migrate, { SOUK_DATABASE_URL: restoredUrl })
  const named = await namedDocuments(restoredUrl)
  const restored = new Set(await target.list(''))
  expect(named.length).toBeGreaterThanOrEqual(3)
  expect(named.filter((path) => !restored.has(path))).toEqual([])

  const after = await startProcesses({ leaseSeconds: 3, databaseUrl: restoredUrl, env: target.env })
  const again = await after.startServe()
  after.startWorker()
  const reports = await waitFor(
    async () => (await seller.getReports(again.url)).filter(({ reportId }) => saved.reports.includes(reportId)),
    (seen) => seen.every(({ processingStatus }) => processingStatus === 'DONE'),
  )
  // The sweep has deleted the row whose document had expired.
  const kept = saved.reports.filter((reportId) => reportId !== expired.report_id)
  expect(reports.map(({ reportId }) => reportId).sort()).toEqual(kept.sort())
  for (const { reportDocumentId } of reports) expect(await seller.countRows(again.url, reportDocumentId)).toBe(ROWS)
  for (const feedId of saved.feeds) {
    await waitFor(
      () => seller.readFeed(again.url, feedId).catch(() => undefined),
      (feed) => feed?.status === 'DONE',
    )
  }
}

describe.skipIf(!programs)(
  'a running service is saved and restored to a state in which every row has its document',
  () => {
    beforeAll(async () => {
      server = await startInstalledPostgres(programs as string)
    })
    afterAll(() => server.stop())

    test('by the documented commands, with documents in a folder', async () => {
      const source = createFolderPlace()
      const target = createFolderPlace()
      await surviveRestore('folder', source, {
        save: async (BACKUP) => {
          await run(saveFolder, { BACKUP, DOCUMENTS: source.folder })
          return source
        },
        restore: async (BACKUP) => {
          await run(restoreFolder, { BACKUP, DOCUMENTS: target.folder })
          return target
        },
      })
    })

    test('with documents in a bucket that is copied after the database', async () => {
      const s3 = await startFauxqs({ port: 0, logger: false, host: '127.0.0.1' })
      onTestFinished(() => s3.stop())
      const [source, copy, target] = ['documents', 'backup', 'restored'].map((bucket) =>
        createBucketPlace(s3, bucket),
      ) as [BucketPlace, BucketPlace, BucketPlace]
      await surviveRestore('bucket', source, {
        save: () => source.copyTo(copy),
        restore: () => copy.copyTo(target),
      })
    })
  },
)
