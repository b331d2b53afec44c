import { SignatureV4 } from '@smithy/signature-v4'
import { beforeEach, describe, expect, test } from 'vitest'
import { deleteAuthorization } from '../../../src/marketplace/accounts/authorizations.ts'
import { NodeSha256 } from '../../../src/platform/auth/node-sha256.ts'
import { revokeSellerTokens } from '../../../src/platform/auth/token-store.ts'
import { registerApplication, revoke, type TestApplication } from '../../support/applications.ts'
import { DOCUMENTS, download, ReportsClient, TO_SHIP } from '../../support/reports.ts'
import { putResources } from '../../support/seller-client.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'
import { startWatchedSouk } from '../../support/watched-souk.ts'

const TOKENS = '/tokens/2021-03-01/restrictedDataToken'
const restrictedResources = [{ method: 'GET', path: `${DOCUMENTS}/{reportDocumentId}` }]
const denied = (details: string) => ({ status: 403, code: 'Unauthorized', details: expect.stringContaining(details) })

let souk: TestSouk
let sellerId: string
let documentId: string
/** Authorised by the seller, and allowed to delegate to the next one. */
let delegator: TestApplication
/** Not authorised by the seller. */
let delegatee: TestApplication
/** Authorised by the seller, and listed for nobody. */
let bystander: TestApplication

async function prepare(own: TestSouk): Promise<void> {
  souk = own
  ;({ sellerId } = souk.demo)
  documentId = (await new ReportsClient(souk).finished({ reportType: TO_SHIP })).reportDocumentId as string
  delegatee = await registerApplication(souk, 'delegatee')
  delegator = await registerApplication(souk, 'delegator', { sellerIds: [sellerId], delegatees: ['delegatee'] })
  bystander = await registerApplication(souk, 'bystander', { sellerIds: [sellerId] })
}

const ask = async (as: TestApplication, targetApplication?: string) =>
  souk.post(TOKENS, {
    token: await as.sellerToken(sellerId),
    payload: { restrictedResources, ...(targetApplication && { targetApplication }) },
  })
async function delegated(): Promise<string> {
  const response = await ask(delegator, 'delegatee')
  expect(response.statusCode, response.body).toBe(200)
  return response.json().restrictedDataToken
}
const fetchDocument = (token: string) => souk.get(`${DOCUMENTS}/${documentId}`, { token })

describe('a restricted data token for another application', () => {
  beforeEach(async () => prepare(await startTestSouk()))

  test('opens the documents of the seller that authorised the delegator', async () => {
    const response = await fetchDocument(await delegated())
    expect(response.statusCode).toBe(200)
    expect(await download(response.json().url)).toMatch(/^order-id\torder-item-id\t/)
  })

  test.each([
    ['one that it may not delegate to', 'bystander'],
    ['the one that it acts against', 'demo'],
    ['one that does not exist', 'nobody'],
  ])('is refused for %s, in the same words', async (_what, name) => {
    const targetApplication = name === 'demo' ? souk.demo.applicationId : name
    expect(errorOf(await ask(delegator, targetApplication))).toEqual({
      status: 400,
      code: 'InvalidInput',
      message: 'The request has missing or invalid parameters: [targetApplication]',
      details: 'targetApplication is not a delegatee of your application.',
    })
  })

  test('is not given the other way round: being a delegatee gives no right to delegate', async () => {
    await putResources(souk, 'authorizations', [{ sellerId, applicationId: 'delegatee' }])
    expect(errorOf(await ask(bystander, 'delegatee'))).toMatchObject({ status: 400 })
  })

  test('is given to the application itself without being listed', async () => {
    expect((await ask(bystander, 'bystander')).statusCode).toBe(200)
  })

  test('does not act as the other application', async () => {
    const token = await delegated()
    const subscriptions = '/notifications/v1/subscriptions/ORDER_CHANGE'
    expect(errorOf(await souk.get(subscriptions, { token }))).toMatchObject(denied('not issued for GET'))
    expect(errorOf(await souk.delete(`${subscriptions}/x`, { token }))).toMatchObject(denied('not issued for DELETE'))
    expect(errorOf(await souk.get('/sellers/v1/account', { token }))).toMatchObject(denied('not issued for GET'))
  })

  test('mints no further tokens', async () => {
    const token = await delegated()
    for (const payload of [{ restrictedResources }, { restrictedResources, targetApplication: 'delegator' }]) {
      expect(errorOf(await souk.post(TOKENS, { token, payload }))).toMatchObject(denied('not issued for POST'))
    }
  })

  test("ends with the delegator's authorisation", async () => {
    const tokens = [await delegated(), (await ask(delegator)).json().restrictedDataToken]
    const other = (await ask(bystander)).json().restrictedDataToken
    for (const token of [...tokens, other]) expect((await fetchDocument(token)).statusCode).toBe(200)
    expect((await revoke(souk, sellerId, 'delegator')).statusCode).toBe(200)
    for (const token of tokens) expect(errorOf(await fetchDocument(token))).toMatchObject(denied('revoked'))
    expect((await fetchDocument(other)).statusCode).toBe(200)
  })

  test('does not end with an authorisation of the delegatee', async () => {
    await putResources(souk, 'authorizations', [{ sellerId, applicationId: 'delegatee' }])
    const token = await delegated()
    await revoke(souk, sellerId, 'delegatee')
    expect((await fetchDocument(token)).statusCode).toBe(200)
  })

  test('ends when the operator takes the delegatee off the list', async () => {
    const [token, own] = [await delegated(), (await ask(delegator)).json().restrictedDataToken]
    expect((await fetchDocument(token)).statusCode).toBe(200)
    await putResources(souk, 'applications', [{ applicationId: 'delegator', name: 'delegator' }])
    expect(errorOf(await fetchDocument(token))).toMatchObject(denied('revoked'))
    expect(errorOf(await ask(delegator, 'delegatee'))).toMatchObject({ status: 400 })
    expect((await fetchDocument(own)).statusCode).toBe(200)
  })

  test('is not left behind by a token that another process has revoked', async () => {
    const { souk: watched, database } = await startWatchedSouk()
    await prepare(watched)
    const token = await delegator.sellerToken(sellerId)
    expect((await souk.get('/sellers/v1/account', { token })).statusCode).toBe(200)
    await database.transact(async (tx) => {
      await deleteAuthorization(tx, { sellerId, applicationId: 'delegator' })
      await revokeSellerTokens(tx, 'delegator', sellerId)
    })
    // This process still remembers the access token. What it issues now would live for an hour.
    const response = await souk.post(TOKENS, { token, payload: { restrictedResources } })
    expect(errorOf(response)).toMatchObject(denied('revoked'))
  })
})

describe('where signed requests are required', () => {
  test('the delegatee signs, not the delegator', async () => {
    souk = await startTestSouk({ signing: { required: true } })
    ;({ sellerId } = souk.demo)
    delegatee = await registerApplication(souk, 'delegatee')
    delegator = await registerApplication(souk, 'delegator', { sellerIds: [sellerId], delegatees: ['delegatee'] })
    const token = await delegated()
    const path = `${DOCUMENTS}/x`
    const getSignedBy = async ({ signingKey }: TestApplication) => {
      const signer = new SignatureV4({
        credentials: signingKey,
        region: 'us-east-1',
        service: 'execute-api',
        sha256: NodeSha256,
      })
      const headers = { host: 'souk.example', 'x-amz-access-token': token }
      const request = { method: 'GET', protocol: 'https:', hostname: 'souk.example', path, query: {}, headers }
      return souk.get(path, { headers: (await signer.sign(request, { signingDate: souk.clock.now() })).headers })
    }
    expect(errorOf(await getSignedBy(delegator))).toMatchObject(denied('does not belong'))
    expect(errorOf(await getSignedBy(delegatee))).toMatchObject({ status: 400, code: 'InvalidInput' })
  })
})
