import { startFauxqs } from 'fauxqs'
import { expect, onTestFinished, test } from 'vitest'
import { createPostgresDatabase } from '../support/databases.ts'
import { countRowsAt, createReportMarketplace, ROWS } from '../support/process-marketplace.ts'
import { runSouk, startSoukProcess } from '../support/souk-process.ts'

const SOUK_OPERATOR_KEY = 'an-operator-key-for-tests'

test('the service stores report documents in S3, and returns signed URLs of S3', async () => {
  const s3 = await startFauxqs({ port: 0, logger: false })
  onTestFinished(() => s3.stop())
  s3.createBucket('documents')
  const endpoint = `http://127.0.0.1:${s3.port}`
  const env = {
    SOUK_DATABASE_URL: await createPostgresDatabase('schema'),
    SOUK_OPERATOR_KEY,
    SOUK_SIGNING_SECRET: 'a-signing-secret-for-tests',
    SOUK_PUBLIC_URL: 'http://souk.example',
    SOUK_DOCUMENTS_URL: 's3://documents/of/souk',
    SOUK_S3_ENDPOINT: endpoint,
    SOUK_S3_REGION: 'us-east-1',
    SOUK_S3_REQUEST_TIMEOUT_MILLISECONDS: '60000',
    SOUK_RATES: 'off',
    SOUK_HOST: '127.0.0.1',
    SOUK_PORT: '0',
    AWS_ACCESS_KEY_ID: 'AKIATEST',
    AWS_SECRET_ACCESS_KEY: 'a-secret',
  }
  const serve = startSoukProcess(['serve'], { env })
  const worker = startSoukProcess(['worker'], { env })
  const [, url = ''] = await serve.waitFor(/"url":"([^"]+)","msg":"server listening"/)
  const seller = await createReportMarketplace(url, SOUK_OPERATOR_KEY)
  const reportId = await seller.createReport(url)
  await worker.waitFor(new RegExp(`"reportId":"${reportId}".*"msg":"report done"`))
  const [report] = await seller.getReports(url)
  const address = await seller.addressOf(url, report?.reportDocumentId)
  expect(address).toMatch(new RegExp(`^${endpoint}/documents/of/souk/reports/`))
  expect(await countRowsAt(address)).toBe(ROWS)
  expect((await worker.stop()).code).toBe(0)
  expect((await serve.stop()).code).toBe(0)
})

test.each(['serve', 'worker'])('souk %s reports a missing S3 region at start', async (command) => {
  const env = {
    SOUK_DATABASE_URL: await createPostgresDatabase('schema'),
    SOUK_OPERATOR_KEY,
    SOUK_SIGNING_SECRET: 'a-signing-secret-for-tests',
    SOUK_PUBLIC_URL: 'http://souk.example',
    SOUK_DOCUMENTS_URL: 's3://documents',
    SOUK_PORT: '0',
    AWS_REGION: '',
    AWS_CONFIG_FILE: '/nowhere',
    AWS_SHARED_CREDENTIALS_FILE: '/nowhere',
  }
  const { code, stderr } = await runSouk([command], { env })
  expect(code).toBe(1)
  expect(stderr).toMatch(/^souk: SOUK_S3_REGION is not set, [^\n]+\.\n$/)
})
