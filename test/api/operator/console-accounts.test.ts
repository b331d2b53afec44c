import { beforeAll, expect, test } from 'vitest'
import { createAccount, openBrowser, PASSWORD, signIn } from '../../support/console.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

const ACCOUNTS = '/operator/v1/consoleAccounts'
const NEW_PASSWORD = 'another horse battery'

let souk: TestSouk
let send: TestSouk['send']
beforeAll(async () => {
  souk = await startTestSouk()
  send = (method, path, request) => souk.send(method, path, { headers: souk.operator, ...request })
})

test('an account can be created, read and listed in pages, without its password', async () => {
  const created = await createAccount(souk, 'aisha', souk.demo.sellerId)
  const account = {
    name: 'aisha',
    role: 'seller',
    sellerId: souk.demo.sellerId,
    isDisabled: false,
    createdAt: souk.clock.now().toISOString(),
  }
  expect(created).toMatchObject({ statusCode: 201 })
  expect(created.json()).toEqual(account)
  expect((await send('GET', `${ACCOUNTS}/aisha`)).json()).toEqual(account)
  await createAccount(souk, 'basma')
  const first = (await send('GET', `${ACCOUNTS}?pageSize=1`)).json()
  expect(first.consoleAccounts).toEqual([account])
  const second = (await send('GET', `${ACCOUNTS}?pageSize=1&pageToken=${first.nextToken}`)).json()
  expect(second).toEqual({ consoleAccounts: [expect.objectContaining({ name: 'basma', role: 'operator' })] })
})

test.each([
  ['a short password', { password: 'elevenchars' }, 'password'],
  ['a name with spaces', { name: 'a b' }, 'name'],
  ['a seller without its id', { role: 'seller' }, 'sellerId'],
  ['an operator with a seller', { sellerId: 'A1SOUKDEMOSELL' }, 'sellerId'],
  ['a seller that does not exist', { role: 'seller', sellerId: 'NOBODY' }, 'sellerId'],
])('an account with %s is refused', async (_what, fields, place) => {
  const payload = { name: 'refused', role: 'operator', password: PASSWORD, ...fields }
  const response = await send('POST', ACCOUNTS, { payload })
  expect(errorOf(response)).toMatchObject({ status: 400, message: expect.stringContaining(`[${place}]`) })
  expect((await send('GET', `${ACCOUNTS}/refused`)).statusCode).toBe(404)
})

test('of two accounts with one name, the second is refused', async () => {
  const responses = await Promise.all([createAccount(souk, 'dalia'), createAccount(souk, 'dalia')])
  expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409])
})

test('accounts are for the operator only', async () => {
  const token = await souk.tokenFor(souk.demo.refreshToken)
  expect(errorOf(await souk.get(ACCOUNTS, { token })).status).toBe(403)
})

test.each([
  ['disabled', () => send('PATCH', `${ACCOUNTS}/emir`, { payload: { isDisabled: true } })],
  ['deleted', () => send('DELETE', `${ACCOUNTS}/emir`)],
  ['given another password', () => send('PUT', `${ACCOUNTS}/emir/password`, { payload: { password: NEW_PASSWORD } })],
])('an account that is %s has no sessions any more, and its password does not work', async (_what, change) => {
  await send('DELETE', `${ACCOUNTS}/emir`)
  await createAccount(souk, 'emir', souk.demo.sellerId)
  const browser = await openBrowser(souk, { name: 'emir', password: PASSWORD })
  expect(await browser.get('/sellers/v1/account')).toMatchObject({ statusCode: 200 })
  expect(await change()).toMatchObject({ statusCode: 200 })
  expect(errorOf(await browser.get('/sellers/v1/account')).status).toBe(401)
  expect(errorOf(await signIn(souk, { name: 'emir', password: PASSWORD })).status).toBe(403)
})

test('an account that is enabled again can sign in, and its old sessions stay ended', async () => {
  await createAccount(souk, 'farid')
  const browser = await openBrowser(souk, { name: 'farid', password: PASSWORD })
  await send('PATCH', `${ACCOUNTS}/farid`, { payload: { isDisabled: true } })
  const enabled = await send('PATCH', `${ACCOUNTS}/farid`, { payload: { isDisabled: false } })
  expect(enabled.json()).toMatchObject({ name: 'farid', isDisabled: false })
  expect(errorOf(await browser.get('/operator/v1/sellers')).status).toBe(401)
  await openBrowser(souk, { name: 'farid', password: PASSWORD })
})

test('accounts that do not exist are 404', async () => {
  const unknown = `${ACCOUNTS}/unknown`
  for (const response of [
    await send('GET', unknown),
    await send('DELETE', unknown),
    await send('PATCH', unknown, { payload: { isDisabled: true } }),
    await send('PUT', `${unknown}/password`, { payload: { password: PASSWORD } }),
  ]) {
    expect(errorOf(response)).toMatchObject({ status: 404, code: 'NotFound' })
  }
})
