import { scrypt, timingSafeEqual } from 'node:crypto'
import { ApiError } from '../errors/api-error.ts'

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
// Hashing takes threads that also read files, and much memory.
const MAX_RUNNING = 2
const MAX_WAITING = 50

/** Returns false without a hash, in the time that a hash would take. */
export type VerifyPassword = (password: string, hash: string | undefined) => Promise<boolean>

/** Hashes passwords, which are short enough to guess, slowly. A hash records its parameters, so that they can change. */
export class PasswordHasher {
  readonly #cost: PasswordCost
  #running = 0
  readonly #waiting: (() => void)[] = []

  constructor(cost: PasswordCost = DEFAULT_COST) {
    this.#cost = cost
  }

  hash(password: string, salt: string): Promise<string> {
    return this.inTurn(async () => {
      const { N, r, p } = this.#cost
      const key = await derive(password, salt, this.#cost)
      return `scrypt$${N}$${r}$${p}$${salt}$${key.toString('base64url')}`
    })
  }

  /** Runs work that verifies a password, of which few run at once. What the work records, the next one sees. */
  async inTurn<Result>(work: (verify: VerifyPassword) => Promise<Result>): Promise<Result> {
    if (this.#running < MAX_RUNNING) this.#running++
    else {
      if (this.#waiting.length >= MAX_WAITING) {
        throw new ApiError('ServiceUnavailable', 'Too many sign-ins at once.', 'Try again in a few seconds.')
      }
      // The one that ends hands its place over.
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    try {
      return await work((password, hash) => this.#verify(password, hash))
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
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
