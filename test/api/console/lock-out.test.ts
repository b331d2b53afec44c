import { beforeAll, expect, test } from 'vitest'
import { ManualClock } from '../../../src/platform/clock/manual-clock.ts'
import { createAccount, openBrowser, PASSWORD, signIn } from '../../support/console.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

const MINUTE = 60_000

let clock: ManualClock
let souk: TestSouk
beforeAll(async () => {
  clock = new ManualClock('2026-06-01T12:00:00Z')
  souk = await startTestSouk({ clock })
  for (const name of ['amina', 'badr', 'chadi', 'dana', 'emil']) await createAccount(souk, name)
})

/** From an address of its own, so that tests do not lock each other out. */
const attempt = async (name: string, password: string, address: string) =>
  (await signIn(souk, { name, password }, {}, address)).statusCode

async function attempts(count: number, name: string, password: string, address: string): Promise<number[]> {
  const statuses: number[] = []
  for (let number = 0; number < count; number++) statuses.push(await attempt(name, password, address))
  return statuses
}

test('five wrong passwords lock an account for 15 minutes for their network, and for no other', async () => {
  expect(await attempts(6, 'amina', 'wrong password', '192.0.2.1')).toEqual([403, 403, 403, 403, 403, 429])
  const response = await signIn(souk, { name: 'amina', password: PASSWORD }, {}, '192.0.2.1')
  expect(errorOf(response)).toMatchObject({ status: 429, code: 'QuotaExceeded', details: 'Try again in 15 minutes.' })
  expect(await attempt('badr', PASSWORD, '192.0.2.1')).toBe(200)
  expect(await attempt('amina', PASSWORD, '192.0.2.2')).toBe(200)
  clock.advance(15 * MINUTE - 1)
  expect(await attempt('amina', PASSWORD, '192.0.2.1')).toBe(429)
  clock.advance(1)
  expect(await attempt('amina', PASSWORD, '192.0.2.1')).toBe(200)
})

test('a hundred wrong passwords from many networks lock an account for all, until the operator sets a password', async () => {
  for (let network = 0; network < 25; network++) {
    expect(await attempts(4, 'dana', 'wrong password', `198.51.100.${network}`)).toEqual([403, 403, 403, 403])
  }
  expect(await attempt('dana', PASSWORD, '192.0.2.20')).toBe(429)
  await souk.put('/operator/v1/consoleAccounts/dana/password', {
    headers: souk.operator,
    payload: { password: PASSWORD },
  })
  expect(await attempt('dana', PASSWORD, '192.0.2.20')).toBe(200)
})

test('enabling an account ends its lock', async () => {
  expect(await attempts(6, 'emil', 'wrong password', '192.0.2.21')).toContain(429)
  for (const isDisabled of [true, false]) {
    await souk.send('PATCH', '/operator/v1/consoleAccounts/emil', { headers: souk.operator, payload: { isDisabled } })
  }
  expect(await attempt('emil', PASSWORD, '192.0.2.21')).toBe(200)
})

test('failures are counted for 15 minutes from the first one on', async () => {
  await attempts(1, 'badr', 'wrong password', '192.0.2.22')
  clock.advance(14 * MINUTE)
  await attempts(3, 'badr', 'wrong password', '192.0.2.22')
  clock.advance(MINUTE)
  expect(await attempts(4, 'badr', 'wrong password', '192.0.2.22')).toEqual([403, 403, 403, 403])
  expect(await attempt('badr', PASSWORD, '192.0.2.22')).toBe(200)
})

test('the next lock takes twice as long', async () => {
  await attempts(5, 'badr', 'wrong password', '192.0.2.4')
  clock.advance(15 * MINUTE)
  await attempts(5, 'badr', 'wrong password', '192.0.2.4')
  clock.advance(15 * MINUTE)
  expect(await attempt('badr', PASSWORD, '192.0.2.4')).toBe(429)
  clock.advance(15 * MINUTE)
  expect(await attempt('badr', PASSWORD, '192.0.2.4')).toBe(200)
})

test('an unknown name is locked like an account, so that locks do not reveal which exist', async () => {
  expect(await attempts(6, 'unknown', PASSWORD, '192.0.2.6')).toEqual([403, 403, 403, 403, 403, 429])
})

test('a sign-in forgets the failures before it', async () => {
  for (let round = 0; round < 2; round++) {
    await attempts(4, 'chadi', 'wrong password', '192.0.2.7')
    expect(await attempt('chadi', PASSWORD, '192.0.2.7')).toBe(200)
  }
})

test('of many guesses at the same time, few are verified', async () => {
  const guesses = Array.from({ length: 20 }, () => attempt('guessed', 'wrong password', '192.0.2.8'))
  const statuses = await Promise.all(guesses)
  expect(statuses.filter((status) => status === 403).length).toBeLessThanOrEqual(6)
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(14)
})

test('twenty wrong passwords lock a network for all accounts, but not the operator key', async () => {
  const address = '2001:db8::1'
  for (let number = 0; number < 20; number++) {
    expect(await attempt(`name ${number}`, 'wrong password', address)).toBe(403)
  }
  expect(await attempt('chadi', PASSWORD, '2001:db8::2')).toBe(429)
  expect(await attempt('chadi', PASSWORD, '2001:db8:0:1::2')).toBe(200)
  const { operatorKey } = souk.demo
  expect((await signIn(souk, { operatorKey }, {}, address)).statusCode).toBe(200)
})

test('twenty wrong operator keys lock neither the correct key nor accounts', async () => {
  const address = '192.0.2.23'
  const withKey = async (operatorKey: string) => (await signIn(souk, { operatorKey }, {}, address)).statusCode
  for (let number = 0; number < 20; number++) expect(await withKey(`guess ${number}`)).toBe(403)
  expect(await withKey('another guess')).toBe(429)
  expect(await withKey(souk.demo.operatorKey)).toBe(200)
  expect(await attempt('chadi', PASSWORD, address)).toBe(200)
})

test('behind a trusted proxy, a lock is for the client that the proxy names, and others cannot name one', async () => {
  const proxied = await startTestSouk({ trustedProxies: ['10.0.0.0/8'] })
  await createAccount(proxied, 'amina')
  const attemptFrom = async (client: string, through: string, password: string) => {
    const headers = { 'x-forwarded-for': client }
    return (await signIn(proxied, { name: 'amina', password }, headers, through)).statusCode
  }
  for (let number = 0; number < 5; number++) {
    expect(await attemptFrom(`203.0.113.${number}, 192.0.2.1`, '10.0.0.5', 'wrong password')).toBe(403)
  }
  expect(await attemptFrom('192.0.2.1', '10.0.0.5', PASSWORD)).toBe(429)
  expect(await attemptFrom('192.0.2.2', '10.0.0.5', PASSWORD)).toBe(200)
  expect(await attemptFrom('192.0.2.2', '192.0.2.1', PASSWORD)).toBe(429)
})

test('failures in the session do not end those of others', async () => {
  const browser = await openBrowser(souk, { name: 'chadi', password: PASSWORD })
  await attempts(6, 'chadi', 'wrong password', '192.0.2.9')
  expect(await browser.get('/operator/v1/sellers')).toMatchObject({ statusCode: 200 })
})
