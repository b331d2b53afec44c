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
/** Authorized by the seller, and allowed to delegate to the delegatee. */
let delegator: TestApplication
/** Not authorized by the seller. */
let delegatee: TestApplication
/** Authorized by the seller; no application may delegate to it. */
let bystander: TestApplication

async function prepare(own: TestSouk): Promise<void> {
  souk = own
  ;({ sellerId } = souk.demo)
  documentId = (await new ReportsClient(souk).finished({ reportType: TO_SHIP })).reportDocumentId as string
  delegatee = await registerApplication(souk, 'delegatee')
  delegator = await registerApplication(souk, 'delegator', { sellerIds: [sellerId], delegatees: ['delegatee'] })
  bystander = await registerApplication(souk, 'bystander', { sellerIds: [sellerId] })
}

const requestToken = async (as: TestApplication, targetApplication?: string) =>
  souk.post(TOKENS, {
    token: await as.sellerToken(sellerId),
    payload: { restrictedResources, ...(targetApplication && { targetApplication }) },
  })
async function delegated(): Promise<string> {
  const response = await requestToken(delegator, 'delegatee')
  expect(response.statusCode, response.body).toBe(200)
  return response.json().restrictedDataToken
}
const fetchDocument = (token: string) => souk.get(`${DOCUMENTS}/${documentId}`, { token })

describe('a restricted data token for another application', () => {
  beforeEach(async () => prepare(await startTestSouk()))

  test('gives access to the documents of the seller that authorized the delegator', async () => {
    const response = await fetchDocument(await delegated())
    expect(response.statusCode).toBe(200)
    expect(await download(response.json().url)).toMatch(/^order-id\torder-item-id\t/)
  })

  test.each([
    ['an application that it may not delegate to', 'bystander'],
    ['the demo application', 'demo'],
    ['an application that does not exist', 'nobody'],
  ])('is refused for %s with the same message', async (_what, name) => {
    const targetApplication = name === 'demo' ? souk.demo.applicationId : name
    expect(errorOf(await requestToken(delegator, targetApplication))).toEqual({
      status: 400,
      code: 'InvalidInput',
      message: 'The request has missing or invalid parameters: [targetApplication]',
      details: 'targetApplication is not a delegatee of your application.',
    })
  })

  test('is refused in the other direction: a delegatee may not delegate', async () => {
    await putResources(souk, 'authorizations', [{ sellerId, applicationId: 'delegatee' }])
    expect(errorOf(await requestToken(bystander, 'delegatee'))).toMatchObject({ status: 400 })
  })

  test('can always be created for the application itself', async () => {
    expect((await requestToken(bystander, 'bystander')).statusCode).toBe(200)
  })

  test('does not give access as the other application', async () => {
    const token = await delegated()
    const subscriptions = '/notifications/v1/subscriptions/ORDER_CHANGE'
    expect(errorOf(await souk.get(subscriptions, { token }))).toMatchObject(denied('not issued for GET'))
    expect(errorOf(await souk.delete(`${subscriptions}/x`, { token }))).toMatchObject(denied('not issued for DELETE'))
    expect(errorOf(await souk.get('/sellers/v1/account', { token }))).toMatchObject(denied('not issued for GET'))
  })

  test('cannot create further tokens', async () => {
    const token = await delegated()
    for (const payload of [{ restrictedResources }, { restrictedResources, targetApplication: 'delegator' }]) {
      expect(errorOf(await souk.post(TOKENS, { token, payload }))).toMatchObject(denied('not issued for POST'))
    }
  })

  test("ends with the delegator's authorization", async () => {
    const tokens = [await delegated(), (await requestToken(delegator)).json().restrictedDataToken]
    const other = (await requestToken(bystander)).json().restrictedDataToken
    for (const token of [...tokens, other]) expect((await fetchDocument(token)).statusCode).toBe(200)
    expect((await revoke(souk, sellerId, 'delegator')).statusCode).toBe(200)
    for (const token of tokens) expect(errorOf(await fetchDocument(token))).toMatchObject(denied('revoked'))
    expect((await fetchDocument(other)).statusCode).toBe(200)
  })

  test('does not end with an authorization of the delegatee', async () => {
    await putResources(souk, 'authorizations', [{ sellerId, applicationId: 'delegatee' }])
    const token = await delegated()
    await revoke(souk, sellerId, 'delegatee')
    expect((await fetchDocument(token)).statusCode).toBe(200)
  })

  test('ends when the operator removes the delegatee from the list', async () => {
    const [token, own] = [await delegated(), (await requestToken(delegator)).json().restrictedDataToken]
    expect((await fetchDocument(token)).statusCode).toBe(200)
    await putResources(souk, 'applications', [{ applicationId: 'delegator', name: 'delegator' }])
    expect(errorOf(await fetchDocument(token))).toMatchObject(denied('revoked'))
    expect(errorOf(await requestToken(delegator, 'delegatee'))).toMatchObject({ status: 400 })
    expect((await fetchDocument(own)).statusCode).toBe(200)
  })

  test('cannot be created with a token that another process revoked', async () => {
    const { souk: watched, database } = await startWatchedSouk()
    await prepare(watched)
    const token = await delegator.sellerToken(sellerId)
    expect((await souk.get('/sellers/v1/account', { token })).statusCode).toBe(200)
    await database.transact(async (tx) => {
      await deleteAuthorization(tx, { sellerId, applicationId: 'delegator' })
      await revokeSellerTokens(tx, 'delegator', sellerId)
    })
    // This process still caches the access token. A token created now would be valid for one hour.
    const response = await souk.post(TOKENS, { token, payload: { restrictedResources } })
    expect(errorOf(response)).toMatchObject(denied('revoked'))
  })
})

describe('if signed requests are required', () => {
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
