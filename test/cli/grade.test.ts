import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runSouk, temporaryFolder } from '../support/souk-process.ts'

// Creates two reports and lists them on pages of one.
const COMMON = `
  const { LWA_CLIENT_ID: client_id, LWA_CLIENT_SECRET: client_secret, LWA_REFRESH_TOKEN: refresh_token } = process.env
  const REPORTS = 'https://sellingpartnerapi-na.amazon.com/reports/2021-06-30/reports'
  const FIRST_PAGE = '?reportTypes=GET_MERCHANT_LISTINGS_ALL_DATA&pageSize=1'
  const report = JSON.stringify({ reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA', marketplaceIds: ['ATVPDKIKX0DER'] })
  async function requestToken() {
    const body = new URLSearchParams({ grant_type: 'refresh_token', client_id, client_secret, refresh_token })
    const response = await fetch('https://api.amazon.com/auth/o2/token', { method: 'POST', body })
    return (await response.json()).access_token
  }
  const send = (token, url, body) => fetch(url, {
    method: body ? 'POST' : 'GET',
    body,
    headers: { 'x-amz-access-token': token, ...(body && { 'content-type': 'application/json' }) },
  })
`
const CAREFUL = `${COMMON}
  const token = await requestToken()
  async function call(url, body) {
    for (;;) {
      const response = await send(token, url, body)
      if (response.status !== 429) return response.json()
      await new Promise((resolve) => setTimeout(resolve, 1100))
    }
  }
  await call(REPORTS, report)
  await call(REPORTS, report)
  for (let page = FIRST_PAGE; page; ) {
    const { nextToken } = await call(REPORTS + page)
    page = nextToken && '?nextToken=' + encodeURIComponent(nextToken)
  }`
const CARELESS = `${COMMON}
  const call = async (url, body) => {
    const response = await send(await requestToken(), url, body)
    if (!response.ok) process.exit(1)
  }
  await call(REPORTS, report)
  await call(REPORTS, report)
  await call(REPORTS + FIRST_PAGE)`

const grade = async (program: string, ...options: string[]) => {
  const folder = temporaryFolder()
  const [junit, html] = [join(folder, 'grade.xml'), join(folder, 'grade.html')]
  const command = [process.execPath, '--input-type=module', '-e', program]
  const { code, stdout, stderr } = await runSouk([
    'grade',
    '--junit',
    junit,
    '--html',
    html,
    ...options,
    '--',
    ...command,
  ])
  return { code, stdout, stderr, junit: readFileSync(junit, 'utf8'), html: readFileSync(html, 'utf8') }
}

describe('souk grade', { timeout: 120_000 }, () => {
  test('passes an integration that caches its token, reads all pages and waits after 429', async () => {
    const { code, stdout, stderr, junit, html } = await grade(CAREFUL, '--incident', 'quota-under-quota')
    expect({ code, stdout }, stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Passed\.$/m) })
    expect(stdout).toContain('ok    The command survives quota-under-quota')
    expect(stdout).toMatch(/^ok {4}After 429.*\[back-off\]/m)
    expect(stderr).toMatch(/^souk grade: quota-under-quota \(1 of 1\)$/m)
    expect(junit).toContain('failures="0"')
    expect(html).toContain('getReports (succeeded')
  })

  test('fails one that does not, and says where', async () => {
    const { code, stdout, stderr, junit, html } = await grade(CARELESS, '--incident', 'quota-under-quota')
    expect(code, stderr).toBe(1)
    expect(stdout).toMatch(/^FAIL {2}Access tokens are cached \[tokens\]: \d+ access tokens, \d+ of them wrong\.$/m)
    expect(stdout).toMatch(/^FAIL {2}Lists are read to their last page \[pagination\]/m)
    expect(stdout).toMatch(/^FAIL {2}The command survives quota-under-quota \(\d+ requests, ended with 1\)$/m)
    expect(stdout).toMatch(/^Failed\.$/m)
    expect(junit).toContain('getReports was not continued after this page.')
    expect(html).toContain('getReports was not continued after this page.')
  })

  test('fails a command that sends no request', async () => {
    const { code, stdout, junit } = await grade('')
    expect(code).toBe(1)
    expect(stdout).toMatch(/^FAIL {2}The command succeeds \(0 requests, sent no request to Souk: .*HTTPS_PROXY/m)
    expect(stdout).toMatch(/^Failed\.$/m)
    expect(junit).toContain('failures="1"')
  })

  test('runs no incident if the calm run fails', async () => {
    const { code, stdout } = await grade('process.exitCode = 3')
    expect(code).toBe(1)
    expect(stdout).toMatch(/^FAIL {2}The command succeeds \(0 requests, ended with 3\)$/m)
  })

  test('stops a command that takes too long, with all that it started', async () => {
    const folder = temporaryFolder()
    const file = join(folder, 'pid')
    const sleeper = `require('fs').writeFileSync('${file}', String(process.pid)); setInterval(() => {}, 1000)`
    const program = `require('child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(sleeper)}])`
    const command = [process.execPath, '-e', program]
    const { code, stdout } = await runSouk(['grade', '--timeout', '5', '--', ...command])
    expect(code).toBe(1)
    expect(stdout).toMatch(/^FAIL {2}The command succeeds \(0 requests, ended with 124: it ran out of time\)$/m)
    const pid = readFileSync(file, 'utf8')
    // A process that has ended may still be listed, as Z, until its new parent asks for its exit code.
    await expect.poll(() => spawnSync('ps', ['-o', 'stat=', '-p', pid], { encoding: 'utf8' }).stdout).toMatch(/^(Z|$)/)
  })

  test.each([
    [['--incident', 'flood', '--', 'true'], 2, 'It must be one of stuck-feed, '],
    [['--skip', 'manners', '--', 'true'], 2, 'It must be one of tokens, back-off'],
    [['--junit', 'no/such/folder/grade.xml', '--', 'true'], 2, 'It cannot be written: ENOENT'],
    [['--html', '.', '--', 'true'], 2, 'It cannot be written: . is a folder.'],
    [['npm', 'test'], 2, '-- is missing before the command: souk grade -- npm test'],
    [[], 2, 'the command is missing: souk grade -- <command>'],
  ])('explains %j', async (args, code, message) => {
    const result = await runSouk(['grade', ...args])
    expect(result).toMatchObject({ code, stderr: expect.stringContaining(message) })
  })
})
