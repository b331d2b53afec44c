import { describe, expect, test } from 'vitest'
import { factsOf } from './body-facts.ts'
import { CALM, type Grade, gradePasses } from './grade.ts'
import { renderHtml } from './html.ts'
import { renderJunit } from './junit.ts'
import type { Call, Pass } from './pass.ts'
import { renderText } from './text.ts'

let calls = 0
interface Bodies {
  requestBody?: object
  responseBody?: object
}

const call = (operation: string, { requestBody, responseBody, ...more }: Partial<Call> & Bodies = {}): Call => {
  const startedAt = more.startedAt ?? ++calls * 100_000
  return {
    id: `request-${calls}`,
    operation,
    method: operation.startsWith('get') || operation === 'downloadDocument' ? 'GET' : 'POST',
    path: `/${operation}`,
    query: new URLSearchParams(),
    caller: 'application seller',
    subjects: {},
    status: 200,
    endedAt: startedAt,
    time: startedAt,
    isFaulty: false,
    rateLimit: 1,
    usesRestrictedToken: false,
    grant: undefined,
    ...factsOf(requestBody, responseBody),
    isCut: false,
    ...more,
    startedAt,
  }
}
const pass = (name: string, ...own: Call[]): Pass => ({
  name,
  exitCode: 0,
  hits: undefined,
  calls: own,
  dropped: 0,
  cleared: 0,
  wasReset: false,
})
const grade = (...passes: Pass[]) => gradePasses({ command: 'npm test', passes, operations: [], skipped: [] })
const verdictOf = ({ checks }: Grade, name: string) => checks.find((check) => check.name === name)?.verdict

test('a check about which nothing happened is not exercised, and fails nothing', () => {
  const graded = grade(pass(CALM, call('getOrder')))
  expect(new Set(graded.checks.map(({ verdict }) => verdict))).toEqual(new Set(['not exercised']))
  expect(graded.isPassed).toBe(true)
})

test('a command that fails, fails', () => {
  expect(grade({ ...pass(CALM), exitCode: 3 }).isPassed).toBe(false)
})

test('a command that sends no request fails, and every report has the likely causes', () => {
  const graded = grade(pass(CALM))
  expect(graded.isPassed).toBe(false)
  const causes = ['HTTPS_PROXY', 'SOUK_URL', 'mocks HTTP']
  const [line] = renderText(graded).split('\n')
  expect(line).toMatch(/^FAIL {2}The command succeeds \(0 requests, sent no request to Souk: /)
  const junit = /name="The command succeeds"><failure message="npm test sent no request to Souk: .*?"/.exec(
    renderJunit(graded),
  )
  const html = /<td>The command succeeds<td><span class="failed">sent no request to Souk: .*?<\/span>/.exec(
    renderHtml(graded),
  )
  for (const report of [line, junit?.[0], html?.[0]]) for (const cause of causes) expect(report).toContain(cause)
})

test('a command whose requests have all left the log is incomplete, not silent', () => {
  expect(renderText(grade({ ...pass(CALM), dropped: 5 }))).not.toContain('sent no request')
})

test('a command that sends no request because of an incident may have given up', () => {
  expect(grade(pass(CALM, call('getOrder')), { ...pass('stuck-feed'), hits: 0 }).isPassed).toBe(true)
})

test('a command that was interrupted fails, although it ended with 0, and every report says so', () => {
  const graded = gradePasses({
    command: 'npm test',
    passes: [pass(CALM)],
    isInterrupted: true,
    operations: [],
    skipped: [],
  })
  expect(graded.isPassed).toBe(false)
  expect(renderText(graded)).toMatch(/^FAIL {2}All runs are complete: interrupted$/m)
  expect(renderJunit(graded)).toContain('name="All runs are complete"><failure message="interrupted">')
  expect(renderHtml(graded)).toContain('<td>All runs are complete<td><span class="failed">interrupted</span>')
})

test('a check that is skipped is not judged', () => {
  const passes = [pass(CALM, call('getOrders', { responseBody: { payload: { NextToken: 'page 2' } } }))]
  expect(gradePasses({ command: '', passes, operations: [], skipped: [] }).isPassed).toBe(false)
  expect(gradePasses({ command: '', passes, operations: [], skipped: ['pagination'] }).isPassed).toBe(true)
})

describe('tokens', () => {
  const requestBody = { grant_type: 'refresh_token', client_id: 'a' }
  const token = (time: number, grant = 'one seller') => call('createToken', { requestBody, time, grant })

  test.each([
    ['one for all calls', [token(0), call('getOrder'), call('getOrder')], 'passed'],
    ['one an hour', [token(0), call('getOrder'), token(3_600_000), call('getOrder')], 'passed'],
    ['one for each call', [token(0), call('getOrder'), token(1_000), call('getOrder')], 'failed'],
    ['one for each seller', [token(0), token(1, 'another seller'), call('getOrder')], 'passed'],
    ['one after a refusal', [token(0), call('getOrder', { status: 403 }), token(1_000), call('getOrder')], 'passed'],
    [
      'one for each process of many calls',
      [token(0), token(1), ...Array.from({ length: 20 }, () => call('getOrder'))],
      'passed',
    ],
  ])('%s', (_case, own, verdict) => {
    expect(verdictOf(grade(pass(CALM, ...own)), 'tokens')).toBe(verdict)
  })
})

describe('429', () => {
  const refused = (startedAt: number) => call('getOrders', { startedAt, status: 429, rateLimit: 0.5 })
  const repeated = (startedAt: number) => call('getOrders', { startedAt })

  test.each([
    ['repeated after a second', [refused(0), repeated(1_000)], 'passed', 'passed'],
    ['repeated at once', [refused(0), repeated(10)], 'failed', 'passed'],
    ['never repeated', [refused(0)], 'passed', 'failed'],
    [
      'followed by another page only',
      [refused(0), call('getOrders', { startedAt: 2_000, query: new URLSearchParams({ NextToken: 'b' }) })],
      'passed',
      'failed',
    ],
    ['repeated again and again', [refused(0), refused(1_000), repeated(3_000)], 'passed', 'passed'],
    [
      'of a fast operation, repeated soon',
      [call('getOrders', { startedAt: 0, status: 429, rateLimit: 20 }), repeated(60)],
      'passed',
      'passed',
    ],
  ])('%s', (_case, own, backOff, retry) => {
    const graded = grade(pass(CALM, ...own))
    expect([verdictOf(graded, 'back-off'), verdictOf(graded, 'retry')]).toEqual([backOff, retry])
  })
})

describe('pages', () => {
  const page = (token: string | undefined, next?: string) =>
    call('getReports', {
      query: new URLSearchParams(token === undefined ? {} : { nextToken: token }),
      responseBody: { reports: [], ...(next !== undefined && { nextToken: next }) },
    })

  test('are read to the last one', () => {
    expect(verdictOf(grade(pass(CALM, page(undefined, 'b'), page('b', 'c'), page('c'))), 'pagination')).toBe('passed')
  })

  test('are not all read', () => {
    const { checks } = grade(pass(CALM, page(undefined, 'b'), page('b', 'c')))
    expect(checks.find(({ name }) => name === 'pagination')).toMatchObject({
      verdict: 'failed',
      summary: '2 pages with a next one, 1 of them wrong.',
      violations: [{ pass: CALM, message: 'getReports was not continued after this page.' }],
    })
  })
})

describe('an expired link', () => {
  const about = (documentId: string) => ({ subjects: { documentId: [documentId] } })
  const expired = call('downloadDocument', { status: 403, ...about('a') })
  const replaced = (id: string) => [call('getReportDocument', about(id)), call('downloadDocument', about(id))]
  test.each([
    ['replaced', [expired, ...replaced('a')], 'passed'],
    ['not replaced, while another is', [expired, ...replaced('b')], 'failed'],
    ['tried again', [expired, call('downloadDocument', about('a'))], 'failed'],
    ['given up', [expired], 'failed'],
  ])('that is %s', (_case, own, verdict) => {
    expect(verdictOf(grade(pass(CALM, ...own)), 'links')).toBe(verdict)
  })
})

describe('a solicitation', () => {
  const solicitation = (more: Partial<Call> = {}) =>
    call('createProductReviewAndSellerFeedbackSolicitation', { path: '/orders/1', ...more })

  test('that is sent again fails', () => {
    expect(verdictOf(grade(pass(CALM, solicitation(), solicitation({ status: 403 }))), 'solicitations')).toBe('failed')
  })

  test('that is sent again because its response was lost passes', () => {
    expect(verdictOf(grade(pass(CALM, solicitation({ status: undefined }), solicitation())), 'solicitations')).toBe(
      'passed',
    )
  })
})

test('a change that is made once in calm and twice by a duplicate notification fails', () => {
  const patch = () => call('patchListingsItem', { requestBody: { price: 1 } })
  const calm = pass(CALM, patch())
  expect(verdictOf(grade(calm, pass('duplicate-notifications', patch())), 'duplicates')).toBe('passed')
  expect(verdictOf(grade(calm, pass('duplicate-notifications', patch(), patch())), 'duplicates')).toBe('failed')
  const withoutHits = { ...pass('duplicate-notifications', patch()), hits: 0 }
  expect(verdictOf(grade(calm, withoutHits), 'duplicates')).toBe('not exercised')
})

describe('personal data', () => {
  const requested = call('createRestrictedDataToken', {
    requestBody: { restrictedResources: [{ method: 'GET', path: '/orders/v0/orders/{orderId}/address' }] },
  })
  test('is read with a token that is used', () => {
    const used = call('getOrderAddress', { path: '/orders/v0/orders/1/address', usesRestrictedToken: true })
    expect(verdictOf(grade(pass(CALM, requested, used)), 'personal-data')).toBe('passed')
  })
  test('has a token that is never used', () => {
    expect(verdictOf(grade(pass(CALM, requested)), 'personal-data')).toBe('failed')
  })
  test('is in a URL', () => {
    const search = call('getOrders', { query: new URLSearchParams({ BuyerEmail: 'buyer@example.com' }) })
    expect(verdictOf(grade(pass(CALM, search)), 'personal-data')).toBe('failed')
  })
})

test('a check cannot pass without all requests', () => {
  const page = call('getReports', { isCut: true })
  expect(verdictOf(grade(pass(CALM, page)), 'pagination')).toBe('incomplete')
  const token = call('createToken')
  expect(verdictOf(grade(pass(CALM, token)), 'tokens')).toBe('passed')
  const incomplete = grade({ ...pass(CALM, token), dropped: 1 })
  expect(verdictOf(incomplete, 'tokens')).toBe('incomplete')
  expect(incomplete.isPassed).toBe(false)
  expect(renderText(incomplete)).toMatch(/^\? {5}Access tokens are cached \[tokens\]: .* does not have all requests/m)
  expect(renderJunit(incomplete)).toContain('name="Access tokens are cached"><failure message="')
})

test('a run in which the incident changed nothing is not exercised', () => {
  const graded = grade(pass(CALM), { ...pass('stuck-feed'), hits: 0 }, { ...pass('gzip-lie'), hits: 1 })
  expect(renderText(graded)).toContain('-     The command survives stuck-feed (0 requests, none of them changed by it)')
  expect(renderText(graded)).toContain('ok    The command survives gzip-lie')
  expect(renderJunit(graded)).toContain('name="The command survives stuck-feed"><skipped/>')
  expect(renderHtml(graded)).toContain('<td>The command survives stuck-feed<td><span class="not-exercised">')
})

describe('the report', () => {
  const passes = [pass(CALM, call('getReport', { responseBody: { processingStatus: 'DONE' } })), pass('<script>')]
  const operations = [
    { name: 'getReport', area: 'reports' },
    { name: 'getFeed', area: 'feeds' },
  ]
  const graded = gradePasses({ command: 'echo "<b>" & \u0000', passes, operations, skipped: [] })

  test('has the operations and states that were covered', () => {
    expect(graded.coverage).toEqual({
      operations: [
        { name: 'getReport', area: 'reports', use: 'succeeded', calls: 1 },
        { name: 'getFeed', area: 'feeds', use: 'not called', calls: 0 },
      ],
      states: { processingStatus: ['DONE'] },
    })
    expect(renderText(graded)).toContain('1 of 2 operations')
  })

  test.each([
    ['HTML', renderHtml(graded)],
    ['JUnit', renderJunit(graded)],
  ])('as %s has no markup of others', (_kind, text) => {
    expect(text).not.toContain('<script>')
    expect(text).not.toContain('<b>')
    expect(text).not.toContain('\u0000')
  })
})
