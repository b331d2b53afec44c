import { execFile, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { openAuthority } from '../../src/platform/certificates/certificate-authority.ts'
import { DOCUMENTS, REPORTS } from '../support/reports.ts'
import { startTestSouk, type TestSouk } from '../support/souk.ts'
import { runSouk, temporaryFolder } from '../support/souk-process.ts'

const HEALTH_URL = 'https://sellingpartnerapi-na.amazon.com/healthz'
const HEALTHY = '{"status":"ok"}'
const DOTTED_BUCKET_URL = 'https://a.bucket.with.dots.s3.eu-west-1.amazonaws.com/healthz'

const isMissing = (command: string, argument = '--version') => spawnSync(command, [argument]).status !== 0

/** The variables of `souk tls`, in a process that has no others of its kind. */
async function run(command: string, args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const { PATH = '', HOME = '' } = process.env
  const { stdout } = await promisify(execFile)(command, args, { env: { PATH, HOME, ...env }, timeout: 60_000 })
  return stdout.trim()
}

describe('clients with fixed hosts reach the stand-in with the settings that souk tls prints', () => {
  let souk: TestSouk
  let file: string
  let bundleFile: string
  let proxy: string

  beforeAll(async () => {
    souk = await startTestSouk({ tls: true })
    ;({ file, bundleFile } = await souk.localAuthority())
    proxy = souk.url
  })

  test('Node.js: fetch and node:https', async () => {
    const script = `
      import { once } from 'node:events'
      import { get } from 'node:https'
      import { text } from 'node:stream/consumers'
      const urls = ['${HEALTH_URL}', '${DOTTED_BUCKET_URL}']
      for (const url of urls) console.log(await (await fetch(url)).text())
      const [response] = await once(get('${HEALTH_URL}'), 'response')
      console.log(await text(response))
      process.exit()`
    const env = { NODE_EXTRA_CA_CERTS: file, NODE_USE_ENV_PROXY: '1', HTTPS_PROXY: proxy }
    const printed = await run(process.execPath, ['--input-type=module', '-e', script], env)
    expect(printed.split('\n')).toEqual([HEALTHY, HEALTHY, HEALTHY])
  })

  test.skipIf(isMissing('curl'))('curl: through the proxy, and by name with the TLS port', async () => {
    expect(await run('curl', ['-sS', HEALTH_URL], { CURL_CA_BUNDLE: bundleFile, HTTPS_PROXY: proxy })).toBe(HEALTHY)
    const { port } = new URL(souk.tlsUrl as string)
    const url = `https://api.amazon.com:${port}/healthz`
    const resolve = `api.amazon.com:${port}:127.0.0.1`
    expect(await run('curl', ['-sS', '--cacert', file, '--resolve', resolve, url])).toBe(HEALTHY)
  })

  test.skipIf(isMissing('python3'))('Python: urllib, and the reason why another host is refused', async () => {
    const script = `
import urllib.request
for url in ('${HEALTH_URL}', '${DOTTED_BUCKET_URL}'):
    print(urllib.request.urlopen(url).read().decode())
try:
    urllib.request.urlopen('https://example.com/')
except OSError as error:
    print(error)`
    const printed = (await run('python3', ['-c', script], { SSL_CERT_FILE: bundleFile, HTTPS_PROXY: proxy })).split(
      '\n',
    )
    expect(printed.slice(0, 2)).toEqual([HEALTHY, HEALTHY])
    expect(printed[2]).toContain('403 The proxy of souk dev refuses example.com:443. Only hosts of the Selling')
  })

  test.skipIf(isMissing('python3'))('Python: a report, from the token to the download from S3', async () => {
    const { clientId, clientSecret, refreshToken, marketplaceId, skus } = souk.demo
    const token = await souk.tokenFor(refreshToken)
    const payload = { reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA', marketplaceIds: [marketplaceId] }
    const { reportId } = (await souk.post(REPORTS, { token, payload })).json()
    await souk.idle()
    const { reportDocumentId } = (await souk.get(`${REPORTS}/${reportId}`, { token })).json()
    const script = `
import gzip, json, sys, urllib.parse, urllib.request
client_id, client_secret, refresh_token, path = sys.argv[1:]
form = dict(grant_type='refresh_token', client_id=client_id, client_secret=client_secret, refresh_token=refresh_token)
body = urllib.parse.urlencode(form).encode()
token = json.load(urllib.request.urlopen('https://api.amazon.com/auth/o2/token', body))['access_token']
api = 'https://sellingpartnerapi-eu.amazon.com'
request = urllib.request.Request(api + path, headers={'x-amz-access-token': token})
url = json.load(urllib.request.urlopen(request))['url']
print(url)
print(gzip.decompress(urllib.request.urlopen(url).read()).decode())`
    const args = ['-c', script, clientId, clientSecret, refreshToken, `${DOCUMENTS}/${reportDocumentId}`]
    const printed = await run('python3', args, { SSL_CERT_FILE: bundleFile, HTTPS_PROXY: proxy })
    expect(printed).toMatch(/^https:\/\/souk-documents\.s3\.eu-west-1\.amazonaws\.com\//)
    expect(printed).toContain(skus[0])
  })

  test.skipIf(isMissing('java', '-version') || isMissing('keytool', '-help'))(
    'Java: HttpsURLConnection with a trust store',
    async () => {
      const folder = temporaryFolder()
      const store = join(folder, 'truststore.p12')
      const importArgs = ['-importcert', '-noprompt', '-alias', 'souk', '-file', file, '-keystore', store]
      await run('keytool', [...importArgs, '-storetype', 'PKCS12', '-storepass', 'changeit'])
      writeFileSync(
        join(folder, 'Client.java'),
        `public class Client {
          public static void main(String[] urls) throws Exception {
            for (String url : urls) {
              try (var in = new java.net.URL(url).openConnection().getInputStream()) {
                System.out.println(new String(in.readAllBytes()));
              }
            }
          }
        }`,
      )
      const { hostname, port } = new URL(proxy)
      const printed = await run('java', [
        '-XX:TieredStopAtLevel=1',
        `-Djavax.net.ssl.trustStore=${store}`,
        '-Djavax.net.ssl.trustStorePassword=changeit',
        `-Dhttps.proxyHost=${hostname}`,
        `-Dhttps.proxyPort=${port}`,
        join(folder, 'Client.java'),
        HEALTH_URL,
        DOTTED_BUCKET_URL,
      ])
      expect(printed.split('\n')).toEqual([HEALTHY, HEALTHY])
    },
    60_000,
  )
})

test.skipIf(isMissing('openssl', 'version'))('OpenSSL accepts the chain by its strictest rules', async () => {
  const folder = temporaryFolder()
  const authority = openAuthority(join(folder, 'tls'), () => {})
  const leaf = join(folder, 'leaf.pem')
  const verify = (host: string) => {
    writeFileSync(leaf, authority.issue([host]).cert)
    const args = ['verify', '-x509_strict', '-purpose', 'sslserver', '-verify_hostname', host]
    return run('openssl', [...args, '-CAfile', authority.file, leaf])
  }
  expect(await verify('a.b.s3.amazonaws.com')).toBe(`${leaf}: OK`)
  await expect(verify('bank.example')).rejects.toMatchObject({
    stderr: expect.stringContaining('permitted subtree violation'),
  })
})

test('souk tls prints settings with the path of the authority, which it creates', async () => {
  const folder = join(temporaryFolder(), 'my data')
  const { code, stdout, stderr } = await runSouk(['tls', '--data', folder, '--proxy', 'http://127.0.0.1:4800'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const file = join(folder, 'tls', 'ca.pem')
  const bundle = join(folder, 'tls', 'ca-bundle.pem')
  for (const line of [
    'export HTTPS_PROXY=http://127.0.0.1:4800',
    `export NODE_EXTRA_CA_CERTS='${file}' NODE_USE_ENV_PROXY=1`,
    `export SSL_CERT_FILE='${bundle}'`,
    `export REQUESTS_CA_BUNDLE='${bundle}'`,
    '127.0.0.1 sandbox.sellingpartnerapi-eu.amazon.com',
    '127.0.0.1 souk-documents.s3.us-west-2.amazonaws.com',
  ]) {
    expect(stdout.split('\n')).toContain(line)
  }
  expect(stdout).toMatch(/^keytool -importcert .*-file '.*ca\.pem' .*\njava .*-Dhttps\.proxyPort=4800 App$/m)
})
