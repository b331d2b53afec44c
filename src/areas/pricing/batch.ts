import { ApiError } from '../../platform/errors/api-error.ts'

export type ElementResult<Answer> = Answer | ApiError

export const SUCCESS = { statusCode: 200, reasonPhrase: 'Success' }

export const renderErrorStatus = ({ status }: ApiError) => ({ statusCode: status, reasonPhrase: 'Client Error' })

export const renderErrors = ({ code, message, details }: ApiError) => [{ code, message, ...(details && { details }) }]

/**
 * Throws if no element of a batch could be answered: then the call as a whole has failed, as it does on the live service.
 * A refusal that says what to correct goes before one that says who may not ask.
 */
export function requireAnySuccess(outcomes: readonly ElementResult<unknown>[]): void {
  if (outcomes.some((outcome) => !(outcome instanceof ApiError))) return
  const errors = outcomes as readonly ApiError[]
  const first = errors.find(({ status }) => status === 400) ?? errors[0]
  if (!first) return
  // What is wrong twice in the same way is said once.
  const distinctErrors = new Map(errors.map((refusal) => [`${refusal.message} ${refusal.details}`, refusal]))
  distinctErrors.delete(`${first.message} ${first.details}`)
  throw new ApiError(first.code, first.message, first.details, {
    reason: first.reason,
    cause: first,
    otherErrors: [...distinctErrors.values()],
  })
}
