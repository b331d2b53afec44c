import type { ErrorObject } from 'ajv'

export interface Violation {
  /** `aboveMaximum` applies to numbers that are too large, and to texts and lists that are too long. */
  rule: 'required' | 'tooFew' | 'belowMinimum' | 'aboveMaximum' | 'invalid' | 'unknown'
  attribute: string
  /** Path in the attribute: `[0].our_price[0].schedule[0].value_with_tax`. Empty for the whole attribute. */
  path: string
  /** The expected bound, values, type or format, without localized text. */
  limit?: string
}

const MAX_LISTED_VALUES = 10

export function toViolation(attribute: string, { keyword, instancePath, params }: ErrorObject): Violation {
  const path = toFieldPath(instancePath)
  switch (keyword) {
    case 'required':
      return { rule: 'required', attribute, path: `${path}.${params.missingProperty}` }
    case 'additionalProperties':
      return { rule: 'unknown', attribute, path: `${path}.${params.additionalProperty}` }
    case 'minItems':
      return { rule: 'tooFew', attribute, path, limit: String(params.limit) }
    case 'minLength':
      // Forms send empty text for missing values.
      if (params.limit === 1) return { rule: 'required', attribute, path }
      return { rule: 'belowMinimum', attribute, path, limit: String(params.limit) }
    case 'minimum':
    case 'exclusiveMinimum':
      return { rule: 'belowMinimum', attribute, path, limit: String(params.limit) }
    case 'maximum':
    case 'exclusiveMaximum':
    case 'maxLength':
    case 'maxItems':
    case 'maxUniqueItems':
      return { rule: 'aboveMaximum', attribute, path, limit: String(params.limit) }
    case 'enum':
      return { rule: 'invalid', attribute, path, limit: formatValues(params.allowedValues) }
    default:
      return { rule: 'invalid', attribute, path, limit: String(params.type ?? params.format ?? keyword) }
  }
}

function formatValues(values: readonly unknown[]): string {
  const named = values.slice(0, MAX_LISTED_VALUES).join(', ')
  return values.length > MAX_LISTED_VALUES ? `${named}, ...` : named
}

/** Converts `/0/our_price/1` to `[0].our_price[1]`. */
export const toFieldPath = (pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .map((segment) => (/^\d+$/.test(segment) ? `[${segment}]` : `.${segment}`))
    .join('')
