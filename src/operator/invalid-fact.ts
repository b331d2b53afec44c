import { ApiError } from '../platform/errors/api-error.ts'

export function invalidFact(place: string, reason: string): ApiError {
  return new ApiError(
    'InvalidInput',
    `The request has missing or invalid parameters: [${place}]`,
    `${place} ${reason}.`,
  )
}

/**
 * Refuses text that would not be read back as it was written: PostgreSQL cannot hold NUL, and half a surrogate pair
 * has no UTF-8. JSON can spell both.
 */
export function refuseUnstorableText(place: string, value: unknown): void {
  const path = pathToUnstorable(value)
  if (!path) return
  throw invalidFact(
    path.reduce((before, key) => (/^\d+$/.test(key) ? `${before}[${key}]` : `${before}.${key}`), place),
    'holds a NUL character or half a surrogate pair, which cannot be stored',
  )
}

/** The keys that lead to the first such text. The place is put together only then: a batch holds many texts. */
function pathToUnstorable(value: unknown): string[] | undefined {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? [] : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, child] of Object.entries(value)) {
    const path = pathToUnstorable(child)
    if (path) return [key, ...path]
  }
  return undefined
}
