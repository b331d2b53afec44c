import { expect, test } from 'vitest'
import { PasswordHasher } from './password.ts'

const hasher = new PasswordHasher({ N: 16, r: 8, p: 1 })
const verify = (password: string, hash: string | undefined) => hasher.inTurn((verifyOne) => verifyOne(password, hash))

test('a hash verifies its password only, and has its parameters and not the password', async () => {
  const hash = await hasher.hash('correct horse battery', 'salt-1')
  expect(hash).toMatch(/^scrypt\$16\$8\$1\$salt-1\$[\w-]{43}$/)
  expect(await verify('correct horse battery', hash)).toBe(true)
  expect(await verify('correct horse Battery', hash)).toBe(false)
  expect(await hasher.hash('correct horse battery', 'salt-2')).not.toContain(hash.slice(-43))
})

test('a hash with the parameters of production verifies', async () => {
  const hash = await new PasswordHasher().hash('correct horse battery', 'salt')
  expect(hash).toMatch(/^scrypt\$32768\$8\$3\$/)
  expect(await verify('correct horse battery', hash)).toBe(true)
})

test('a password verifies in each of the ways to write its characters', async () => {
  expect(await verify('cafe\u0301 au lait', await hasher.hash('caf\u00e9 au lait', 'salt'))).toBe(true)
})

test('without a hash, no password is right', async () => {
  expect(await verify('', undefined)).toBe(false)
})

test('attempts run two at a time, and too many at once are refused', async () => {
  let running = 0
  let most = 0
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  const attempt = () =>
    hasher.inTurn(async () => {
      most = Math.max(most, ++running)
      await opened
      running--
      return 'done'
    })
  const attempts = Array.from({ length: 60 }, () => attempt().catch((error: Error) => error.message))
  // The operator sets passwords meanwhile.
  await hasher.hash('correct horse battery', 'salt')
  open()
  const results = await Promise.all(attempts)
  expect(most).toBe(2)
  expect(results.filter((one) => one === 'done')).toHaveLength(52)
  expect(results.filter((one) => one === 'Too many sign-ins at once.')).toHaveLength(8)
})
