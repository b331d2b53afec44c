import { ApiError } from '../../platform/errors/api-error.ts'

/** What an element of a batch came to. */
export type Outcome<Answer> = Answer | ApiError

export const refusalOf = ({ status }: ApiError) => ({ statusCode: status, reasonPhrase: 'Client Error' })

export const errorsOf = ({ code, message, details }: ApiError) => [{ code, message, ...(details && { details }) }]

/**
 * Throws if no element of a batch could be answered: then the call as a whole has failed, as it does on the live service.
 * A refusal that says what to correct goes before one that says who may not ask.
 */
export function requireOneAnswer(outcomes: readonly Outcome<unknown>[]): void {
  if (outcomes.some((outcome) => !(outcome instanceof ApiError))) return
  const refusals = outcomes as readonly ApiError[]
  const first = refusals.find(({ status }) => status === 400) ?? refusals[0]
  if (!first) return
  // What is wrong twice in the same way is said once.
  const said = new Map(refusals.map((refusal) => [`${refusal.message} ${refusal.details}`, refusal]))
  said.delete(`${first.message} ${first.details}`)
  throw new ApiError(first.code, first.message, first.details, {
    reason: first.reason,
    cause: first,
    others: [...said.values()],
  })
}
