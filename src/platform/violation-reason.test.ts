import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { describeReason } from './violation-reason.ts'

const ajv = new Ajv({ allowUnionTypes: true })

test.each([
  [{ type: 'integer' }, '1', 'must be an integer'],
  [{ type: 'string' }, 1, 'must be a string'],
  [{ type: ['string', 'null'] }, 1, 'must be a string or null'],
  [{ minimum: 0 }, -1, 'must be at least 0'],
  [{ maximum: 5 }, 6, 'must be at most 5'],
  [{ exclusiveMinimum: 0 }, 0, 'must be more than 0'],
  [{ exclusiveMaximum: 5 }, 5, 'must be less than 5'],
  [{ minItems: 1 }, [], 'must have at least 1 item'],
  [{ maxItems: 0 }, [1], 'must have at most 0 items'],
  [{ minLength: 2 }, 'a', 'must have at least 2 characters'],
  [{ maxLength: 1 }, 'ab', 'must have at most 1 character'],
  [{ minProperties: 1 }, {}, 'must have at least 1 field'],
  [{ maxProperties: 1 }, { a: 1, b: 2 }, 'must have at most 1 field'],
  [{ pattern: '^a$' }, 'b', 'must match the pattern ^a$'],
  [{ enum: ['a', 'b'] }, 'c', 'must be one of a, b'],
  [{ const: 'a' }, 'b', 'must be a'],
  [{ required: ['a'] }, {}, 'is required'],
  [{ additionalProperties: false }, { a: 1 }, 'is not allowed'],
  [{ not: {} }, 1, 'must NOT be valid'],
])('of what violates %j, it says what is right', (schema, value, reason) => {
  const validate = ajv.compile(schema)
  expect(validate(value)).toBe(false)
  expect(describeReason(validate.errors?.[0])).toBe(reason)
})
