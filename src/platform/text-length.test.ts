import { Ajv, type ErrorObject } from 'ajv'
import { expect, test } from 'vitest'
import { countFewTexts } from './text-length.ts'

const schema = { type: 'string', maxLength: 3, minLength: 2, pattern: '^[a-z😀]*$' }
const ofAjv = new Ajv().compile(schema)
const validate = countFewTexts(new Ajv()).compile(schema)

test.each([
  '',
  'a',
  'ab',
  '😀',
  '\ud83d',
  'abc',
  'abcd',
  '😀😀😀',
  '😀😀😀😀',
  'ABCD',
  'ab\ud83d',
  '\ud83d\ud83d\ud83d\ud83d',
])('the text %j is as long as Ajv says', (text) => {
  expect(validate(text)).toBe(ofAjv(text))
  expect(withoutPath(validate.errors)).toEqual(withoutPath(ofAjv.errors))
})

const withoutPath = (errors: ErrorObject[] | null | undefined) => errors?.map(({ schemaPath: _, ...error }) => error)
