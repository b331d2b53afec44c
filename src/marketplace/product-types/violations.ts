import type { ErrorObject } from 'ajv'

/** Something in an attribute that its schema does not allow. */
export interface Violation {
  /** `aboveMaximum` is said of numbers that are too large, texts that are too long and lists that are too long. */
  rule: 'required' | 'tooFew' | 'belowMinimum' | 'aboveMaximum' | 'invalid' | 'unknown'
  attribute: string
  /** Where in the attribute: `[0].our_price[0].schedule[0].value_with_tax`, or empty for the attribute as a whole. */
  place: string
  /** What would be right, in no language: the bound, the allowed values, the name of the type or format. */
  limit?: string
}

const MOST_VALUES_NAMED = 10

export function toViolation(attribute: string, { keyword, instancePath, params }: ErrorObject): Violation {
  const place = toPlace(instancePath)
  switch (keyword) {
    case 'required':
      return { rule: 'required', attribute, place: `${place}.${params.missingProperty}` }
    case 'additionalProperties':
      return { rule: 'unknown', attribute, place: `${place}.${params.additionalProperty}` }
    case 'minItems':
      return { rule: 'tooFew', attribute, place, limit: String(params.limit) }
    case 'minLength':
      // Empty text is how forms send what was not filled in.
      if (params.limit === 1) return { rule: 'required', attribute, place }
      return { rule: 'belowMinimum', attribute, place, limit: String(params.limit) }
    case 'minimum':
    case 'exclusiveMinimum':
      return { rule: 'belowMinimum', attribute, place, limit: String(params.limit) }
    case 'maximum':
    case 'exclusiveMaximum':
    case 'maxLength':
    case 'maxItems':
    case 'maxUniqueItems':
      return { rule: 'aboveMaximum', attribute, place, limit: String(params.limit) }
    case 'enum':
      return { rule: 'invalid', attribute, place, limit: nameValues(params.allowedValues) }
    default:
      return { rule: 'invalid', attribute, place, limit: String(params.type ?? params.format ?? keyword) }
  }
}

function nameValues(values: readonly unknown[]): string {
  const named = values.slice(0, MOST_VALUES_NAMED).join(', ')
  return values.length > MOST_VALUES_NAMED ? `${named}, ...` : named
}

/** `/0/our_price/1` as people write it: `[0].our_price[1]`. */
export const toPlace = (pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .map((segment) => (/^\d+$/.test(segment) ? `[${segment}]` : `.${segment}`))
    .join('')
