import { Ajv } from 'ajv'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { compileOnce } from './compile-once.ts'

test('equal schemas are compiled once, and different ones each', () => {
  const compile = compileOnce(new Ajv({ strict: false }))
  const createSchema = (maxLength: number) => Type.Object({ name: Type.String({ maxLength }) })
  const validate = compile(createSchema(3))
  expect(compile(createSchema(3))).toBe(validate)
  expect(validate({ name: 'abcd' })).toBe(false)
  expect(compile(createSchema(4))({ name: 'abcd' })).toBe(true)
})
