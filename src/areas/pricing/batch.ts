import { ApiError } from '../../platform/errors/api-error.ts'

export type ElementResult<Result> = Result | ApiError

export const SUCCESS = { statusCode: 200, reasonPhrase: 'Success' }

export const renderErrorStatus = ({ status }: ApiError) => ({ statusCode: status, reasonPhrase: 'Client Error' })

export const renderErrors = ({ code, message, details }: ApiError) => [{ code, message, ...(details && { details }) }]

/**
 * Throws if every element of a batch failed, as the live service does. A 400 takes precedence over a 403, because the
 * caller can correct it.
 */
export function requireAnySuccess(results: readonly ElementResult<unknown>[]): void {
  if (results.some((result) => !(result instanceof ApiError))) return
  const errors = results as readonly ApiError[]
  const first = errors.find(({ status }) => status === 400) ?? errors[0]
  if (!first) return
  // Report equal errors once.
  const distinctErrors = new Map(errors.map((error) => [`${error.message} ${error.details}`, error]))
  distinctErrors.delete(`${first.message} ${first.details}`)
  throw new ApiError(first.code, first.message, first.details, {
    reason: first.reason,
    cause: first,
    otherErrors: [...distinctErrors.values()],
  })
}
