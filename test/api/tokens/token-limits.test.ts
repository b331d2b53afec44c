import { describe, expect, test } from 'vitest'
import { queryBuilder } from '../../../src/platform/database/query.ts'
import { registerApplication, revoke } from '../../support/applications.ts'
import { putResources } from '../../support/seller-client.ts'
import { NOTIFICATIONS, startTestSouk, type TestSouk } from '../../support/souk.ts'
import { startWatchedSouk } from '../../support/watched-souk.ts'

interface Attempt {
  clientId?: string
  secret?: string
  from?: string
}

function clientOf(souk: TestSouk) {
  const ask = ({ clientId = souk.demo.clientId, secret = souk.demo.clientSecret, from = '192.0.2.1' }: Attempt = {}) =>
    souk.post('/auth/o2/token', {
      remoteAddress: from,
      payload: {
        grant_type: 'refresh_token',
        refresh_token: souk.demo.refreshToken,
        client_id: clientId,
        client_secret: secret,
      },
    })
  const statuses = async (times: number, attempt?: Attempt) => {
    const found: number[] = []
    for (let index = 0; index < times; index++) found.push((await ask(attempt)).statusCode)
    return found
  }
  return { ask, statuses }
}

const startLimited = async (rates: 'documented' | 'off' | number = 'documented') => {
  const souk = await startTestSouk({ rates })
  return { souk, ...clientOf(souk) }
}

describe('wrong secrets', () => {
  test('have a burst of 20 and then a rate of one per five seconds, with 429 and Retry-After', async () => {
    const { souk, ask, statuses } = await startLimited()
    const wrong = { secret: 'wrong' }
    expect(await statuses(21, wrong)).toEqual([...Array(20).fill(401), 429])
    const refused = await ask(wrong)
    expect(refused.headers['retry-after']).toBe('5')
    expect(refused.headers['cache-control']).toBe('no-store')
    expect(refused.json()).toEqual({
      error: 'slow_down',
      error_description: 'Too many failed client authentications. Try again in 5 seconds.',
      request_id: refused.headers['x-amzn-requestid'],
    })
    souk.clock.advance(5_000)
    expect(await statuses(2, wrong)).toEqual([401, 429])
  })

  test('do not lock out the client, not even from the same IP address', async () => {
    const { statuses } = await startLimited()
    await statuses(30, { secret: 'wrong' })
    expect(await statuses(1)).toEqual([200])
    expect(await statuses(1, { from: '192.0.2.2' })).toEqual([200])
  })

  test('are counted per IP address and per client id, known or not', async () => {
    const { souk, statuses } = await startLimited()
    const wrong = { secret: 'wrong' }
    expect(await statuses(21, { ...wrong, clientId: 'nobody' })).toEqual([...Array(20).fill(401), 429])
    expect(await statuses(1, { ...wrong, clientId: 'nobody else' })).toEqual([401])
    expect(await statuses(1, { ...wrong, clientId: 'nobody', from: '192.0.2.2' })).toEqual([401])
    expect(await statuses(21, { ...wrong, clientId: souk.demo.clientId })).toEqual([...Array(20).fill(401), 429])
  })
})

describe('grants', () => {
  test('have a burst of 200 and then a rate of ten per second per client', async () => {
    const { souk, ask, statuses } = await startLimited()
    const other = await registerApplication(souk, 'other')
    expect(new Set(await statuses(200))).toEqual(new Set([200]))
    const refused = await ask()
    expect([refused.statusCode, refused.headers['retry-after'], refused.json().error]).toEqual([429, '1', 'slow_down'])
    expect(await other.grantlessToken()).toEqual(expect.any(String))
    souk.clock.advance(1_000)
    expect(await statuses(11)).toEqual([...Array(10).fill(200), 429])
  })

  test('are not consumed by requests with a wrong secret', async () => {
    const { statuses } = await startLimited()
    await statuses(250, { secret: 'wrong' })
    expect(await statuses(5)).toEqual(Array(5).fill(200))
  })

  test('follow SOUK_RATES, and are unlimited if rates are off', async () => {
    const doubled = await startLimited(2)
    await doubled.statuses(200)
    doubled.souk.clock.advance(1_000)
    expect(await doubled.statuses(21)).toEqual([...Array(20).fill(200), 429])
    const free = await startLimited('off')
    expect(new Set(await free.statuses(250))).toEqual(new Set([200]))
    expect(new Set(await free.statuses(30, { secret: 'wrong' }))).toEqual(new Set([401]))
  })
})

describe('a repeated grant', () => {
  test('leaves one row, however often it is repeated', async () => {
    const { souk, database } = await startWatchedSouk()
    const { ask } = clientOf(souk)
    for (let count = 0; count < 100; count++) await ask()
    for (let count = 0; count < 100; count++) await souk.grantlessToken(NOTIFICATIONS)
    const db = queryBuilder<{ access_tokens: { token_digest: string } }>()
    const rows = await database.transact((tx) => tx.all(db.selectFrom('access_tokens').selectAll()))
    expect(rows).toHaveLength(2)
  })

  test('does not return a revoked token', async () => {
    const { souk, ask } = await startLimited('off')
    const { sellerId, applicationId } = souk.demo
    const works = async (token: string) => (await souk.get('/sellers/v1/account', { token })).statusCode === 200
    const before = (await ask()).json().access_token
    await revoke(souk, sellerId, applicationId)
    expect((await ask()).json()).toMatchObject({ error: 'invalid_grant' })
    const [{ refreshToken }] = await putResources(souk, 'authorizations', [{ sellerId, applicationId }])
    const after = await souk.tokenFor(refreshToken)
    expect([await works(before), await works(after)]).toEqual([false, true])
  })

  test('does not return a token that reset() deleted', async () => {
    const { souk, ask } = await startLimited('off')
    await ask()
    await souk.reset()
    const { access_token: token } = (await ask()).json()
    expect((await souk.get('/sellers/v1/account', { token })).statusCode).toBe(200)
  })

  test('returns a separate token per scope and seller', async () => {
    const { souk } = await startLimited('off')
    const tokens = [
      await souk.grantlessToken(NOTIFICATIONS),
      await souk.grantlessToken('sellingpartnerapi::migration'),
      await souk.grantlessToken(`sellingpartnerapi::migration ${NOTIFICATIONS}`),
      await souk.tokenFor(souk.demo.refreshToken),
      await souk.tokenFor(souk.demo.otherSeller.refreshToken),
    ]
    expect(new Set(tokens).size).toBe(5)
    expect(await souk.grantlessToken(`${NOTIFICATIONS} sellingpartnerapi::migration`)).toBe(tokens[2])
  })
})

test('a code is refused from another client, and the attempt invalidates it', async () => {
  const { souk } = await startLimited('off')
  const { sellerId, applicationId, clientId, clientSecret } = souk.demo
  const path = `/operator/v1/authorizations/${sellerId}/${applicationId}/code`
  const { code } = (await souk.post(path, { headers: souk.operator })).json()
  const other = await registerApplication(souk, 'other', { sellerIds: [sellerId] })
  const exchange = (client_id: string, client_secret: string) =>
    souk.post('/auth/o2/token', { payload: { grant_type: 'authorization_code', code, client_id, client_secret } })
  expect((await exchange(other.clientId, other.clientSecret)).json()).toMatchObject({ error: 'invalid_grant' })
  expect((await exchange(clientId, clientSecret)).json()).toMatchObject({ error: 'invalid_grant' })
})
