import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Verification, VerificationError } from '../../../../src/index.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../../support/souk.ts'

let souk: TestSouk
let token: string
beforeAll(async () => {
  souk = await startTestSouk({ requestLog: 100 })
  token = await souk.tokenFor(souk.demo.refreshToken)
})
beforeEach(() => souk.requests.clear())

const listing = (sku: string | undefined) =>
  souk.get(`/listings/2021-08-01/items/${souk.demo.sellerId}/${sku}?marketplaceIds=${souk.demo.marketplaceId}`, {
    token,
  })

/** As a program without the package verifies. */
async function verify(...expectations: object[]) {
  const response = await fetch(`${souk.url}/_souk/verify`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ expectations }),
  })
  const { passed, results } = (await response.json()) as Verification
  expect(response.status).toBe(passed ? 200 : 406)
  return { ...(results[0] as Verification['results'][number]), passed }
}

describe('a verification', () => {
  test('counts requests', async () => {
    const { skus } = souk.demo
    await listing(skus[0])
    await listing(skus[0])
    const of = (count: object) => verify({ operation: 'getListingsItem', sku: skus[0], count })
    for (const count of [{ exactly: 2 }, { atLeast: 2 }, { atMost: 2 }, { between: [1, 2] }]) {
      expect(await of(count)).toMatchObject({ passed: true, seen: 2 })
    }
    for (const count of [{ exactly: 1 }, { atLeast: 3 }, { atMost: 1 }, { between: [3, 4] }]) {
      expect(await of(count)).toMatchObject({ passed: false, seen: 2 })
    }
    expect(await verify({ sku: skus[1] })).toMatchObject({ passed: false, seen: 0 })
  })

  test('says what came instead', async () => {
    const { skus } = souk.demo
    await listing(skus[1])
    const { message, closest } = await verify({ operation: 'getListingsItem', sku: skus[0], count: { exactly: 1 } })
    expect(message).toBe(`Expected operation getListingsItem, sku ${skus[0]}: exactly 1; saw 0.`)
    expect(closest).toMatchObject([
      { request: { operation: 'getListingsItem' }, differences: [`sku is ${skus[1]}, not ${skus[0]}`] },
    ])
  })

  test('compares bodies by what is given of them', async () => {
    await souk.post('/auth/o2/token', { payload: { grant_type: 'refresh_token', refresh_token: 'unknown' } })
    expect(await verify({ operation: 'createToken', body: { grant_type: 'refresh_token' } })).toMatchObject({
      passed: true,
    })
    expect(await verify({ operation: 'createToken', body: { grant_type: 'other' } })).toMatchObject({ passed: false })
  })

  test('checks the order of requests', async () => {
    for (const path of ['/first', '/between', '/second']) await souk.get(path)
    expect(await verify({ inOrder: [{ path: '/first' }, { path: '/second' }] })).toMatchObject({ passed: true })
    const { passed, message } = await verify({ inOrder: [{ path: '/second' }, { path: '/first' }] })
    expect(passed).toBe(false)
    expect(message).toContain('saw no request for number 2 after number 1')
  })

  test('checks that a client waits after a response, in time of the marketplace or in real time', async () => {
    const pause = (noCallWithinSeconds: number) =>
      verify({ after: { status: 404, path: '/refused' }, noCallWithinSeconds, sameOperation: true })
    await souk.get('/refused')
    expect(await pause(60)).toMatchObject({ passed: true, seen: 1 })
    souk.clock.advance(30_000)
    await souk.get('/again')
    expect(await pause(29)).toMatchObject({ passed: true })
    const early = await pause(60)
    expect(early.passed).toBe(false)
    expect(early.message).toMatch(/GET \/again came after 30\.\d{3} seconds/)
  })

  test('counts requests in any period of a length', async () => {
    const perHour = (atMost: number) => verify({ path: '/hourly', count: { atMost, perSeconds: 3600 } })
    await souk.get('/hourly')
    souk.clock.advance(3_600_000)
    await souk.get('/hourly')
    expect(await perHour(1)).toMatchObject({ passed: true, seen: 1 })
    souk.clock.advance(1_800_000)
    await souk.get('/hourly')
    expect(await perHour(1)).toMatchObject({ passed: false, seen: 2 })
  })

  test('counts requests for tokens for each grant', async () => {
    const perHour = () => verify({ operation: 'createToken', count: { atMost: 1, perSeconds: 3600 } })
    await souk.tokenFor(souk.demo.refreshToken)
    await souk.tokenFor(souk.demo.otherSeller.refreshToken)
    await souk.grantlessToken('sellingpartnerapi::notifications')
    expect(await perHour()).toMatchObject({ passed: true, seen: 1 })
    await souk.tokenFor(souk.demo.otherSeller.refreshToken)
    const twice = await perHour()
    expect(twice).toMatchObject({ passed: false, seen: 2 })
    expect(twice.message).toContain('at most 1 in any 3600 seconds for each grant; saw 2')
    const { grant } = twice.requests[0] as { grant: string }
    await souk.verify({ operation: 'createToken', grant, count: { exactly: 2 } })
  })

  test('names the operation that may have been meant', async () => {
    const payload = { expectations: [{ operation: 'patchListingItem', count: { exactly: 0 } }] }
    const { details } = errorOf(await souk.post('/_souk/verify', { payload }))
    expect(details).toContain('Did you mean patchListingsItem?')
  })

  test('waits until the requests have come', async () => {
    const verified = souk.verify({ path: '/later', count: { exactly: 2 } }, { timeoutSeconds: 30 })
    await souk.get('/later')
    await souk.get('/later')
    expect(await verified).toMatchObject({ passed: true })
  })

  test('begins at a request or a time', async () => {
    const first = await souk.get('/since')
    await souk.get('/since')
    const since = String(first.headers['x-amzn-requestid'])
    await souk.verify({ path: '/since', count: { exactly: 1 } }, { since })
    souk.clock.advance(1000)
    await souk.verify({ path: '/since', count: { exactly: 0 } }, { since: souk.clock.now() })
  })

  test('does not pass if the log no longer has requests that would count', async () => {
    for (let count = 0; count < 101; count++) await souk.get('/dropped')
    expect(await verify({ path: '/dropped', count: { atLeast: 1 } })).toMatchObject({ passed: true })
    const { passed, message } = await verify({ path: '/dropped', count: { exactly: 100 } })
    expect(passed).toBe(false)
    expect(message).toContain('the log no longer has 1 requests')
    expect(await verify({ operation: 'getOrder', count: { exactly: 0 } })).toMatchObject({ passed: true })
  })

  test('says how much of a body the log has', async () => {
    const brief = await startTestSouk({ demo: false, maxLoggedBodyBytes: 1024 })
    await brief.post('/nowhere', { payload: { text: 'a'.repeat(2_000) } })
    const response = await brief.post('/_souk/verify', {
      payload: { expectations: [{ q: 'absent', count: { exactly: 0 } }] },
    })
    expect(response.json().results[0].message).toContain('only the first 1 KiB')
  })

  test('does not pass if the log has only the beginning of a body that would count', async () => {
    const payload = { feedType: 'JSON_LISTINGS_FEED', text: 'a'.repeat(100_000) }
    // Other tests move the clock beyond the life of a token.
    const fresh = await souk.tokenFor(souk.demo.refreshToken)
    await souk.post('/feeds/2021-06-30/feeds', { token: fresh, payload })
    const operation = 'createFeed'
    for (const wanted of [{ body: { feedType: payload.feedType } }, { feedType: payload.feedType }, { q: 'absent' }]) {
      const { passed, message } = await verify({ operation, ...wanted, count: { exactly: 0 } })
      expect(passed).toBe(false)
      expect(message).toContain('only the first 64 KiB')
    }
    const pause = await verify({ after: { body: { feedType: payload.feedType } }, noCallWithinSeconds: 5 })
    expect(pause).toMatchObject({ passed: false, seen: 0 })
    for (const wanted of [
      { operation: 'getOrder', q: 'absent' },
      { operation, status: 429, q: 'absent' },
    ]) {
      expect(await verify({ ...wanted, count: { exactly: 0 } })).toMatchObject({ passed: true })
    }
    expect(await verify({ operation, count: { exactly: 1 } })).toMatchObject({ passed: true })
  })

  test('rejects in a test with all that is needed to find the mistake', async () => {
    await souk.get('/refused')
    const verified = souk.verify([{ name: 'retries', path: '/refused', count: { exactly: 2 } }, { path: '/refused' }])
    await expect(verified).rejects.toThrow(VerificationError)
    await expect(verified).rejects.toThrow(
      /1 of 2 expectations failed.\n- retries: Expected path \/refused: exactly 2; saw 1.\n {4}saw GET \/refused \(404\)/,
    )
    await souk.faults.add({ match: { operations: ['getListingsItem'] }, action: { kind: 'drop' }, count: 1 })
    const path = `/listings/2021-08-01/items/${souk.demo.sellerId}/SKU?marketplaceIds=${souk.demo.marketplaceId}`
    const headers = { 'x-amz-access-token': await souk.tokenFor(souk.demo.refreshToken) }
    await expect(fetch(souk.url + path, { headers })).rejects.toThrow()
    const succeeded = souk.verify([{ operation: 'getListingsItem', status: 200 }])
    await expect(succeeded).rejects.toThrow(/closest: GET \S+ \(no response\)/)
  })

  test.each([
    [{}, 'expectations'],
    [{ expectations: [] }, 'expectations'],
    [{ expectations: [{ sku: 'A', count: {} }] }, 'expectations[0].count'],
    [{ expectations: [{ count: { exactly: 1, atMost: 2 } }] }, 'expectations[0].count'],
    [{ expectations: [{ count: { exactly: -1 } }] }, 'expectations[0].count.exactly'],
    [{ expectations: [{ count: { between: [2, 1] } }] }, 'expectations[0].count.between'],
    [{ expectations: [{ count: { exactly: 1, perSeconds: 5 } }] }, 'expectations[0].count.perSeconds'],
    [{ expectations: [{ noCallWithinSeconds: 5 }] }, 'expectations[0].after'],
    [{ expectations: [{ after: { status: 429 } }] }, 'expectations[0].noCallWithinSeconds'],
    [{ expectations: [{ inOrder: [{ sku: 'A' }, { sku: 'B' }], sku: 'A' }] }, 'expectations[0].sku'],
    [
      { expectations: [{ inOrder: [{ sku: 'A' }, { sku: 'B' }], noCallWithinSeconds: 5 }] },
      'expectations[0].noCallWithinSeconds',
    ],
    [
      { expectations: [{ inOrder: [{ sku: 'A' }, { sku: 'B' }], sameOperation: true }] },
      'expectations[0].sameOperation',
    ],
    [{ expectations: [{ operaton: 'getOrder' }] }, 'expectations[0].operaton'],
    [{ expectations: [{ operation: 'getOrdr', count: { exactly: 0 } }] }, 'expectations[0].operation'],
    [
      { expectations: [{ after: { operation: 'getOrdr' }, noCallWithinSeconds: 5 }] },
      'expectations[0].after.operation',
    ],
    [{ expectations: [{ inOrder: [{ sku: 'A' }, { operation: 'getOrdr' }] }] }, 'expectations[0].inOrder[1].operation'],
    [{ expectations: [{ operation: 'processFeed' }] }, 'expectations[0].operation'],
    [{ expectations: [{ operation: 'createToken', application: 'A' }] }, 'expectations[0].application'],
    [{ expectations: [{ operation: 'getOrder', sku: 'A', count: { exactly: 0 } }] }, 'expectations[0].sku'],
    [
      { expectations: [{ inOrder: [{ operation: 'createReport', feedId: 'A' }, { operation: 'getReport' }] }] },
      'expectations[0].inOrder[0].feedId',
    ],
    [{ expectations: [{ operation: 'downloadDocument', seller: 'A' }] }, 'expectations[0].seller'],
    [{ expectations: [{ operation: 'getDestinations', seller: 'A' }] }, 'expectations[0].seller'],
    [{ expectations: [{ operation: 'getOrder', grant: 'A' }] }, 'expectations[0].grant'],
    [{ expectations: [{}], timeoutSeconds: 61 }, 'timeoutSeconds'],
    [{ expectations: [{}], since: 'yesterday' }, 'since'],
  ])('refuses %j', async (payload, place) => {
    const { status, message } = errorOf(await souk.post('/_souk/verify', { payload }))
    expect(status).toBe(400)
    expect(message).toContain(`[${place}]`)
  })
})
