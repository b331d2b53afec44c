import type { Explain, ExplainSent, Explanation, Missing } from './explanation.ts'
import { toSentence } from './sentences.ts'

/**
 * Every error code of the interface and its HTTP status. Nothing else in the code chooses an error status.
 * `docs/errors.md` explains each one; a test keeps the two in step.
 */
export const errorStatus = {
  InvalidInput: 400,
  // As the live service spells them for pricing.
  INVALID_ASIN: 400,
  INVALID_SKU: 400,
  // Of the console only.
  NotSignedIn: 401,
  Unauthorized: 403,
  NotFound: 404,
  // As in the listings and catalog APIs of the live service.
  NOT_FOUND: 404,
  MethodNotAllowed: 405,
  RequestTimeout: 408,
  Conflict: 409,
  RequestTooLarge: 413,
  UnsupportedMediaType: 415,
  QuotaExceeded: 429,
  RequestHeadersTooLarge: 431,
  InternalFailure: 500,
  ServiceUnavailable: 503,
} as const

export type ErrorCode = keyof typeof errorStatus

export interface ApiErrorOptions extends ErrorOptions {
  /** The exact cause, where the specification leaves `details` empty or `details` must not be logged. Default: `details`. */
  reason?: string
  otherErrors?: readonly ApiError[]
  /** The field that is wrong: `orders[0].items[1].sku`. */
  field?: string
  missing?: Missing
  explain?: Explain
  explainSent?: ExplainSent
  /** How long a caller should wait before trying again. */
  retryAfterSeconds?: number
}

/** An error for the caller to read. Anything else that is thrown becomes a plain InternalFailure. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly details: string
  /** Sent in the header `x-souk-reason` and logged, never part of the body. It is logged, so it never quotes the body. */
  readonly reason: string
  /** Where a request asks for several things and all are refused: the errors of the others. */
  readonly otherErrors: readonly ApiError[]
  readonly field: string | undefined
  readonly missing: Missing | undefined
  readonly explain: Explain | undefined
  readonly explainSent: ExplainSent | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: ErrorCode,
    message: string,
    details = '',
    {
      reason = details && toSentence(details),
      otherErrors: others = [],
      field,
      missing,
      explain,
      explainSent,
      retryAfterSeconds,
      ...options
    }: ApiErrorOptions = {},
  ) {
    super(message, options)
    this.name = 'ApiError'
    this.code = code
    this.details = details
    this.reason = reason
    this.otherErrors = others
    this.field = field
    this.missing = missing
    this.explain = explain
    this.explainSent = explainSent
    this.retryAfterSeconds = retryAfterSeconds
  }

  get status(): number {
    return errorStatus[this.code]
  }
}

type Explained = Explain | Missing | Pick<ApiErrorOptions, 'explain' | 'explainSent'>

/** An error about one parameter, or about a field of the body such as `orders[0].items[1].sku`. */
export const invalidInput = (path: string, details: string, explained: Explained = {}) =>
  new ApiError('InvalidInput', `The request has missing or invalid parameters: [${path}]`, details, {
    reason: details.startsWith(path) ? details : `${path}: ${details}`,
    field: path,
    ...(typeof explained === 'function'
      ? { explain: explained }
      : 'kind' in explained
        ? { missing: explained }
        : explained),
  })

/** The same where the details begin with the place: `dataStartTime must not be after dataEndTime.` */
export const invalidParameter = (path: string, reason: string, explained?: Explained) =>
  invalidInput(path, toSentence(`${path} ${reason}`), explained)

/** The violation that an error of `invalidInput` or `invalidParameter` is about. */
export function toViolation({ message, details }: ApiError): Violation {
  const [, path = ''] = /: \[(.*)\]$/.exec(message) ?? []
  const reason = path && details.startsWith(`${path} `) ? details.slice(path.length + 1) : details
  return { path, reason: reason.replace(/\.$/, '') }
}

/** What is wrong with one field of a request. */
export interface Violation {
  /** `orders[0].items[1].sku` */
  path: string
  /** Continues a sentence that begins with the path: `does not exist`. */
  reason: string
}

// More errors than a person reads, and a response of a few kilobytes.
export const MAX_VIOLATIONS = 100

/** One error for each violation, of which there is at least one. */
export function invalidParameters(
  violations: readonly Violation[],
  explained: Pick<ApiErrorOptions, 'explain' | 'explainSent'> = {},
): ApiError {
  const [first, ...others] = violations
    .slice(0, MAX_VIOLATIONS)
    .map(({ path, reason }) => invalidParameter(path, reason)) as [ApiError, ...ApiError[]]
  const { code, message, details } = first
  const reason = others.length > 0 ? `${first.reason} And ${violations.length - 1} more.` : first.reason
  return new ApiError(code, message, details, {
    reason,
    otherErrors: others,
    field: first.field as string,
    ...explained,
  })
}

/** The caller itself has what it wants to create, and can read it at the same path. */
export const alreadyExists = (message: string, details: string, facts: Explanation['facts']) =>
  new ApiError('Conflict', message, details, {
    explain: () => ({ facts, change: { method: 'GET' } }),
  })

/** The specification leaves the details of this one empty. */
export const quotaExceeded = (reason: string, explain?: Explain) =>
  new ApiError('QuotaExceeded', 'You exceeded your quota for the requested resource.', '', {
    reason,
    ...(explain && { explain }),
  })
