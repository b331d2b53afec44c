import type { ErrorObject } from 'ajv'

/** Something in an attribute that its schema does not allow. */
export interface Violation {
  /** `aboveMaximum` is said of numbers that are too large, texts that are too long and lists that are too long. */
  rule: 'required' | 'tooFew' | 'belowMinimum' | 'aboveMaximum' | 'invalid' | 'unknown'
  attribute: string
  /** Where in the attribute: `[0].our_price[0].schedule[0].value_with_tax`, or empty for the attribute as a whole. */
  path: string
  /** What would be right, in no language: the bound, the allowed values, the name of the type or format. */
  limit?: string
}

const MAX_LISTED_VALUES = 10

export function toViolation(attribute: string, { keyword, instancePath, params }: ErrorObject): Violation {
  const place = toFieldPath(instancePath)
  switch (keyword) {
    case 'required':
      return { rule: 'required', attribute, path: `${place}.${params.missingProperty}` }
    case 'additionalProperties':
      return { rule: 'unknown', attribute, path: `${place}.${params.additionalProperty}` }
    case 'minItems':
      return { rule: 'tooFew', attribute, path: place, limit: String(params.limit) }
    case 'minLength':
      // Empty text is how forms send what was not filled in.
      if (params.limit === 1) return { rule: 'required', attribute, path: place }
      return { rule: 'belowMinimum', attribute, path: place, limit: String(params.limit) }
    case 'minimum':
    case 'exclusiveMinimum':
      return { rule: 'belowMinimum', attribute, path: place, limit: String(params.limit) }
    case 'maximum':
    case 'exclusiveMaximum':
    case 'maxLength':
    case 'maxItems':
    case 'maxUniqueItems':
      return { rule: 'aboveMaximum', attribute, path: place, limit: String(params.limit) }
    case 'enum':
      return { rule: 'invalid', attribute, path: place, limit: formatValues(params.allowedValues) }
    default:
      return { rule: 'invalid', attribute, path: place, limit: String(params.type ?? params.format ?? keyword) }
  }
}

function formatValues(values: readonly unknown[]): string {
  const named = values.slice(0, MAX_LISTED_VALUES).join(', ')
  return values.length > MAX_LISTED_VALUES ? `${named}, ...` : named
}

/** `/0/our_price/1` as people write it: `[0].our_price[1]`. */
export const toFieldPath = (pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .map((segment) => (/^\d+$/.test(segment) ? `[${segment}]` : `.${segment}`))
    .join('')
