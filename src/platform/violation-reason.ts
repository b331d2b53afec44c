import type { ErrorObject } from 'ajv'

/** Says what is right, in words that follow the name of the field. Those of the validator are terse. */
export function describeReason(error: ErrorObject | undefined): string {
  const { limit, type, allowedValues, allowedValue, pattern } = error?.params ?? {}
  switch (error?.keyword) {
    case 'required':
      return 'is required'
    case 'additionalProperties':
      return 'is not allowed'
    case 'enum':
      return `must be one of ${allowedValues.join(', ')}`
    case 'const':
      return `must be ${allowedValue}`
    case 'format':
      return 'must be an ISO 8601 date and time'
    case 'type':
      return `must be ${[type].flat().map(withArticle).join(' or ')}`
    case 'minimum':
      return `must be at least ${limit}`
    case 'maximum':
      return `must be at most ${limit}`
    case 'exclusiveMinimum':
      return `must be more than ${limit}`
    case 'exclusiveMaximum':
      return `must be less than ${limit}`
    case 'minItems':
      return `must have at least ${count(limit, 'item')}`
    case 'maxItems':
      return `must have at most ${count(limit, 'item')}`
    case 'minLength':
      return `must have at least ${count(limit, 'character')}`
    case 'maxLength':
      return `must have at most ${count(limit, 'character')}`
    case 'minProperties':
      return `must have at least ${count(limit, 'field')}`
    case 'maxProperties':
      return `must have at most ${count(limit, 'field')}`
    case 'pattern':
      return `must match the pattern ${pattern}`
    default:
      return error?.message ?? 'is not valid'
  }
}

const withArticle = (type: string) => (type === 'null' ? type : `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`)

const count = (limit: number, noun: string) => `${limit} ${noun}${limit === 1 ? '' : 's'}`
