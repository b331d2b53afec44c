import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import type { IdKind, Ids } from './port.ts'

const hex = (bytes: number) => randomBytes(bytes).toString('hex')
// base64url has no character that a form body would need to escape: one public client sends its form unescaped.
const secret = (bytes: number) => randomBytes(bytes).toString('base64url')

// Eleven or twelve digits, as clients know them. Unique per seller only, so the insert checks for a collision.
const digits = () => String(randomInt(50_000_000_000, 999_999_999_999))

const sevenDigits = () => String(randomInt(10_000_000)).padStart(7, '0')

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'
// Short enough for collisions: the insert checks for them.
const code = (length: number) => Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join('')

const ASINS = LETTERS.length ** 8
const ASINS_IN_A_ROW = LETTERS.length ** 3
let nextAsin = 0
let asinsLeft = 0

/**
 * Adjacent ASINs, from a random one on. Many indexes start with the ASIN, or with a word and the ASIN: with random
 * ones, each new product would change a page of its own in all of them.
 */
function asin(): string {
  if (asinsLeft === 0) {
    nextAsin = randomInt(ASINS - ASINS_IN_A_ROW)
    asinsLeft = ASINS_IN_A_ROW
  }
  asinsLeft--
  return `B0${(nextAsin++).toString(LETTERS.length).toUpperCase().padStart(8, '0')}`
}

const MAX_IDS_PER_MILLISECOND = 0x1000
let lastMillisecond = 0
let lastTime = ''
let madeInIt = 0

/**
 * The 32 digits of a version 7 UUID. Rows written together have adjacent keys, so they lie on the same few pages. The ids
 * of one process are in the order of creation, also within a millisecond.
 */
function timeOrdered(separator = '-'): string {
  const now = Date.now()
  if (now > lastMillisecond) startMillisecond(now)
  else if (++madeInIt === MAX_IDS_PER_MILLISECOND) startMillisecond(lastMillisecond + 1)
  const count = madeInIt.toString(16).padStart(3, '0')
  // The rest is that of a random UUID, which draws on entropy fetched beforehand.
  const random = randomUUID()
  const time = `${lastTime.slice(0, 8)}${separator}${lastTime.slice(8)}`
  return `${time}${separator}7${count}${separator}${random.slice(19, 23)}${separator}${random.slice(24)}`
}

function startMillisecond(millisecond: number): void {
  lastMillisecond = millisecond
  lastTime = millisecond.toString(16).padStart(12, '0')
  madeInIt = 0
}

const makers: Record<IdKind, () => string> = {
  request: randomUUID,
  accessToken: () => `Atza|${secret(48)}`,
  refreshToken: () => `Atzr|${secret(48)}`,
  restrictedDataToken: () => `Atz.sprdt|${secret(48)}`,
  authorizationCode: () => secret(24),
  application: () => `amzn1.sp.solution.${randomUUID()}`,
  client: () => `amzn1.application-oa2-client.${hex(16)}`,
  clientSecret: () => `amzn1.oa2-cs.v1.${hex(32)}`,
  signingKey: () => `AKIA${hex(8).toUpperCase()}`,
  job: randomUUID,
  event: () => timeOrdered(),
  submission: () => timeOrdered(''),
  destination: randomUUID,
  subscription: randomUUID,
  asin,
  fnSku: () => `X00${code(7)}`,
  lease: randomUUID,
  report: digits,
  reportSchedule: digits,
  reportDocument: () => `amzn1.spdoc.1.4.${randomUUID()}.${hex(6).toUpperCase()}`,
  feed: digits,
  feedDocument: () => `amzn1.tortuga.4.na.${randomUUID()}.${hex(6).toUpperCase()}`,
  upload: randomUUID,
  order: () => `${randomInt(100, 1000)}-${sevenDigits()}-${sevenDigits()}`,
  orderItem: () => `${sevenDigits()}${sevenDigits()}`,
  return: () => `D${code(8)}RRMA`,
  uploadDestination: randomUUID,
  message: () => timeOrdered(),
  nonce: () => secret(18),
  salt: () => secret(16),
  consoleSession: () => secret(32),
  auditEntry: () => randomUUID(),
}

export class RandomIds implements Ids {
  next(kind: IdKind): string {
    return makers[kind]()
  }
}
