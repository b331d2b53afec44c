import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import type { IdKind, Ids } from './port.ts'

const hex = (bytes: number) => randomBytes(bytes).toString('hex')
// base64url has no character that a form body would need to escape: one public client sends its form unescaped.
const secret = (bytes: number) => randomBytes(bytes).toString('base64url')

// Eleven or twelve digits, as clients know them. They are unique for a seller only, so whoever stores one looks for a clash.
const digits = () => String(randomInt(50_000_000_000, 999_999_999_999))

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'
// Few enough that two may clash: whoever stores one looks for that.
const code = (length: number) => Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join('')

/**
 * Thirty-two digits of a UUID of version 7: of many rows written in one go, the keys are neighbours, so that they lie on
 * the same few pages.
 */
function timeOrdered(): string {
  // Its own digits of version 4 are random, all but the two that say so; and it draws on entropy fetched beforehand.
  return `${timeDigits()}-7${randomUUID().slice(15)}`
}

function timeDigits(): string {
  const digits = Date.now().toString(16).padStart(12, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8)}`
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
  event: timeOrdered,
  submission: () => timeOrdered().replaceAll('-', ''),
  asin: () => `B0${code(8)}`,
  fnSku: () => `X00${code(7)}`,
  lease: randomUUID,
  report: digits,
  reportSchedule: digits,
  reportDocument: () => `amzn1.spdoc.1.4.${randomUUID()}.${hex(6).toUpperCase()}`,
  feed: digits,
  feedDocument: () => `amzn1.tortuga.4.na.${randomUUID()}.${hex(6).toUpperCase()}`,
  upload: randomUUID,
}

export class RandomIds implements Ids {
  next(kind: IdKind): string {
    return makers[kind]()
  }
}
