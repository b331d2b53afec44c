import { scrypt, timingSafeEqual } from 'node:crypto'
import { Turns } from './turns.ts'

export const MIN_PASSWORD_LENGTH = 12
export const MAX_PASSWORD_LENGTH = 200

/** The parameters of scrypt. */
export interface PasswordCost {
  N: number
  r: number
  p: number
}

/** 32 MiB and about a quarter of a second for each attempt. */
const DEFAULT_COST: PasswordCost = { N: 2 ** 15, r: 8, p: 3 }
const KEY_BYTES = 32

/** Returns false without a hash, in the time that a hash would take. */
export type VerifyPassword = (password: string, hash: string | undefined) => Promise<boolean>

/** Hashes passwords, which are short enough to guess, slowly. A hash records its parameters, so that they can change. */
export class PasswordHasher {
  readonly #cost: PasswordCost
  // Few at once: hashing takes threads that also read files, and much memory.
  readonly #signIns = new Turns({ maxRunning: 2, maxWaiting: 50, errorMessage: 'Too many sign-ins at once.' })
  /** Of their own, so that no flood of sign-ins keeps the operator from setting passwords. */
  readonly #newPasswords = new Turns({ maxRunning: 1, maxWaiting: 50, errorMessage: 'Too many new passwords at once.' })

  constructor(cost: PasswordCost = DEFAULT_COST) {
    this.#cost = cost
  }

  hash(password: string, salt: string): Promise<string> {
    return this.#newPasswords.run(async () => {
      const { N, r, p } = this.#cost
      const key = await derive(password, salt, this.#cost)
      return `scrypt$${N}$${r}$${p}$${salt}$${key.toString('base64url')}`
    })
  }

  /** Runs work that verifies a password, of which few run at once. What the work records, the next one sees. */
  inTurn<Result>(work: (verify: VerifyPassword) => Promise<Result>): Promise<Result> {
    return this.#signIns.run(() => work((password, hash) => this.#verify(password, hash)))
  }

  async #verify(password: string, hash: string | undefined): Promise<boolean> {
    if (hash === undefined) {
      await derive(password, 'no account', this.#cost)
      return false
    }
    const [, N, r, p, salt = '', stored = ''] = hash.split('$')
    const key = await derive(password, salt, { N: Number(N), r: Number(r), p: Number(p) })
    const expected = Buffer.from(stored, 'base64url')
    return key.length === expected.length && timingSafeEqual(key, expected)
  }
}

const derive = (password: string, salt: string, cost: PasswordCost) =>
  new Promise<Buffer>((resolve, reject) => {
    const maxmem = 256 * cost.N * cost.r
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, { ...cost, maxmem }, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
