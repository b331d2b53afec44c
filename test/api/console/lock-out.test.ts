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
  for (const name of ['amina', 'badr', 'chadi']) await createAccount(souk, name)
})

/** From an address of its own, so that tests do not lock each other out. */
const attempt = async (name: string, password: string, address: string) =>
  (await signIn(souk, { name, password }, {}, address)).statusCode

async function attempts(count: number, name: string, password: string, address: string): Promise<number[]> {
  const statuses: number[] = []
  for (let number = 0; number < count; number++) statuses.push(await attempt(name, password, address))
  return statuses
}

test('five wrong passwords lock an account for 15 minutes, from every address', async () => {
  expect(await attempts(6, 'amina', 'wrong password', '192.0.2.1')).toEqual([403, 403, 403, 403, 403, 429])
  const response = await signIn(souk, { name: 'amina', password: PASSWORD }, {}, '192.0.2.2')
  expect(errorOf(response)).toMatchObject({ status: 429, code: 'QuotaExceeded', details: 'Try again in 15 minutes.' })
  expect(await attempt('badr', PASSWORD, '192.0.2.1')).toBe(200)
  clock.advance(15 * MINUTE - 1)
  expect(await attempt('amina', PASSWORD, '192.0.2.2')).toBe(429)
  clock.advance(1)
  expect(await attempt('amina', PASSWORD, '192.0.2.2')).toBe(200)
  expect(await attempts(5, 'amina', 'wrong password', '192.0.2.3')).toEqual([403, 403, 403, 403, 403])
  clock.advance(15 * MINUTE)
  expect(await attempt('amina', PASSWORD, '192.0.2.2')).toBe(200)
})

test('the next lock takes twice as long', async () => {
  await attempts(5, 'badr', 'wrong password', '192.0.2.4')
  clock.advance(15 * MINUTE)
  await attempts(5, 'badr', 'wrong password', '192.0.2.4')
  clock.advance(15 * MINUTE)
  expect(await attempt('badr', PASSWORD, '192.0.2.5')).toBe(429)
  clock.advance(15 * MINUTE)
  expect(await attempt('badr', PASSWORD, '192.0.2.5')).toBe(200)
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

test('twenty failures lock an address, but not the operator key', async () => {
  const address = '2001:db8::1'
  for (let number = 0; number < 20; number++) {
    expect((await signIn(souk, { operatorKey: `guess ${number}` }, {}, address)).statusCode).toBe(403)
  }
  expect(await attempt('chadi', PASSWORD, '2001:db8::2')).toBe(429)
  expect(await attempt('chadi', PASSWORD, '2001:db8:0:1::2')).toBe(200)
  expect((await signIn(souk, { operatorKey: 'another guess' }, {}, address)).statusCode).toBe(429)
  const { operatorKey } = souk.demo
  expect((await signIn(souk, { operatorKey }, {}, address)).statusCode).toBe(200)
})

test('failures in the session do not end those of others', async () => {
  const browser = await openBrowser(souk, { name: 'chadi', password: PASSWORD })
  await attempts(6, 'chadi', 'wrong password', '192.0.2.9')
  expect(await browser.get('/operator/v1/sellers')).toMatchObject({ statusCode: 200 })
})
