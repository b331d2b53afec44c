import { readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Souk } from '../../src/index.ts'
import {
  redirectUrl,
  runClient,
  runRedirected,
  runWithPackage,
  settingsOf,
  startSoukForPrograms,
} from '../support/redirected.ts'

const TIMEOUT_MILLISECONDS = 60_000
const MAX_BYTES = 20_000

describe('souk/redirect', { timeout: TIMEOUT_MILLISECONDS }, () => {
  let souk: Souk
  let env: Record<string, string>
  beforeAll(async () => {
    ;({ souk } = await startSoukForPrograms({ rates: 'off' }))
    env = settingsOf(souk)
  })

  test("brings the requests of every HTTP client to Souk, and leaves other hosts' alone", async () => {
    expect(await runClient('http-stacks.mjs', souk)).toEqual({
      https: 200,
      namedImport: 200,
      http: 200,
      fetch: 200,
      undiciFetch: 200,
      undiciRequest: 200,
      undiciHttp2: 200,
      axios: 200,
      got: 200,
      gotHttp2: 200,
      gotTimeouts: 200,
      keepsAlive: true,
      socket: [true, true, false, 'TLSv1.3'],
      proxyAgent: 200,
      aborted: 'AbortError',
      thread: 200,
      childProcess: 200,
      otherHost: 'mine',
      otherTls: 'connect ECONNREFUSED 127.0.0.1:1',
    })
  })

  test('lets the AWS SDK use the queue, and gives it an S3 error for a bucket', async () => {
    const { code, stdout, stderr } = await runRedirected(
      `import { CreateQueueCommand, ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
       import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3'
       const settings = { region: 'eu-west-1', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } }
       const sqs = new SQSClient(settings)
       const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: 'redirected' }))
       await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'hello' }))
       const { Messages } = await sqs.send(new ReceiveMessageCommand({ QueueUrl }))
       const s3 = new S3Client(settings)
       const error = await s3.send(new GetObjectCommand({ Bucket: 'mine', Key: 'x' })).catch((error) => error.name)
       console.log(JSON.stringify([new URL(QueueUrl).host, Messages[0].Body, error]))`,
      { env },
    )
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout)).toEqual(['sqs.eu-west-1.amazonaws.com', 'hello', 'NoSuchBucket'])
  })

  test('downloads a report 1,000 times in parallel', async () => {
    expect(await runClient('many-downloads.mjs', souk)).toEqual({ downloads: 1000, sizes: 1, isReport: true })
  })

  test('prints one line per process tree that says what goes where', async () => {
    const program = `import { execFileSync } from 'node:child_process'
      execFileSync(process.execPath, ['-e', '1'], { stdio: 'inherit', env: { ...process.env, NODE_OPTIONS: '--import=${redirectUrl()}' } })`
    const { stdout, stderr } = await runRedirected(program, { env })
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^souk\/redirect: [^\n]+\n$/)
    expect(stderr).toContain(`${souk.url}, to SQS hosts to ${souk.queueUrl}`)
  })

  test('prints nothing with SOUK_REDIRECT_QUIET', async () => {
    const { stdout, stderr } = await runRedirected('', { env: { ...env, SOUK_REDIRECT_QUIET: '1' } })
    expect({ stdout, stderr }).toEqual({ stdout: '', stderr: '' })
  })

  test.each([
    [
      'fetch',
      `await fetch('https://sellingpartnerapi-na.amazon.com/').catch(({ cause }) => console.log(cause.message))`,
    ],
    [
      'node:https',
      `import { get } from 'node:https'
       get('https://sellingpartnerapi-na.amazon.com/').on('error', ({ message }) => console.log(message))`,
    ],
  ])('has the error of %s say that Souk is not running, and how to start it', async (_client, program) => {
    const closed = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => closed.once('listening', resolve))
    const address = `http://127.0.0.1:${(closed.address() as AddressInfo).port}`
    await new Promise((resolve) => closed.close(resolve))
    const { stdout } = await runRedirected(program, { env: { SOUK_URL: address } })
    expect(stdout).toContain('ECONNREFUSED')
    expect(stdout).toContain(`sellingpartnerapi-na.amazon.com to ${address}, and Souk is not running there`)
    expect(stdout).toContain('npx souk dev')
  })

  test('refuses an unusable SOUK_URL in one sentence', async () => {
    const { code, stdout, stderr } = await runRedirected('console.log(1)', { env: { SOUK_URL: 'https://127.0.0.1' } })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toBe(
      'souk/redirect: SOUK_URL must be an http address without a path, such as http://127.0.0.1:4700, not "https://127.0.0.1".\n',
    )
  })

  test('works in the process that starts Souk, too', async () => {
    const { code, stdout, stderr } = await runWithPackage(
      `import 'souk/redirect'
       import { SellingPartner } from 'amazon-sp-api'
       import { startSouk } from 'souk'
       await using souk = await startSouk({ rates: 'off' })
       process.env.SOUK_URL = souk.url
       const { clientId, clientSecret, refreshToken } = souk.demo
       const credentials = { SELLING_PARTNER_APP_CLIENT_ID: clientId, SELLING_PARTNER_APP_CLIENT_SECRET: clientSecret }
       const seller = new SellingPartner({ region: 'na', refresh_token: refreshToken, credentials })
       const body = { reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA', marketplaceIds: [souk.demo.marketplaceId] }
       const rows = await seller.downloadReport({ body, interval: 10, download: { json: true } })
       console.log(rows.some((row) => row['seller-sku'] === souk.demo.skus[0]))`,
    )
    expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: 'true\n' })
  })

  test('bypasses a proxy of the environment for hosts of the vendor only', async () => {
    const { stdout } = await runRedirected(
      `import axios from 'axios'
       const { status } = await axios.get('https://sellingpartnerapi-na.amazon.com/healthz')
       const other = await axios.get('http://other.example/').catch(({ code }) => code)
       console.log(JSON.stringify([status, other, process.env.NO_PROXY.startsWith('intranet,')]))`,
      { env: { ...env, HTTPS_PROXY: 'http://127.0.0.1:9', HTTP_PROXY: 'http://127.0.0.1:9', NO_PROXY: 'intranet' } },
    )
    expect(stdout).toBe('[200,"ECONNREFUSED",true]\n')
  })

  test('is small and loads no dependency', () => {
    const files = [redirectUrl()]
    for (const file of files) {
      const text = readFileSync(fileURLToPath(file), 'utf8')
      for (const [, specifier = ''] of text.matchAll(/^import .*?["']([^"']+)["'];?$/gm)) {
        if (specifier.startsWith('.')) files.push(new URL(specifier, file).href)
        else expect(specifier).toMatch(/^node:/)
      }
    }
    const bytes = files.map((file) => statSync(fileURLToPath(file)).size).reduce((sum, size) => sum + size, 0)
    expect(bytes).toBeLessThan(MAX_BYTES)
  })
})
