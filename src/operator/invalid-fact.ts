import { ApiError } from '../platform/errors/api-error.ts'

export function invalidFact(place: string, reason: string): ApiError {
  return new ApiError(
    'InvalidInput',
    `The request has missing or invalid parameters: [${place}]`,
    `${place} ${reason}.`,
  )
}
