import { describe, expect, test } from 'vitest'
import { ApiError } from '../../../platform/errors/api-error.ts'
import { parsePatch, toReplacement } from './patch.ts'

const value = [{ value: 'Red', marketplace_id: 'US' }]

function errorOf(parse: () => unknown): ApiError {
  try {
    parse()
  } catch (error) {
    if (error instanceof ApiError) return error
  }
  throw new Error('There was no error for the caller.')
}

describe('a patch', () => {
  test('names one attribute and keeps its value', () => {
    expect(parsePatch({ op: 'add', path: '/attributes/color', value }, 0)).toEqual({
      op: 'add',
      attribute: 'color',
      value,
    })
    expect(toReplacement(['color', value], 0)).toEqual({ op: 'replace', attribute: 'color', value })
  })

  test('may omit the value only to delete the whole attribute', () => {
    expect(parsePatch({ op: 'delete', path: '/attributes/color' }, 0)).toStrictEqual({
      op: 'delete',
      attribute: 'color',
    })
    for (const op of ['add', 'replace', 'merge'] as const) {
      const error = errorOf(() => parsePatch({ op, path: '/attributes/color' }, 2))
      expect(error).toMatchObject({ code: 'InvalidInput', message: 'Value is missing for patch at index of 2.' })
      expect(error).toMatchObject({
        details: '',
        reason: 'patches[2].value is required: only the operation delete may omit it.',
      })
    }
  })

  test.each(['', '/', '/attributes', '/attributes/', 'attributes/color', '/attributes/color/0', '/summaries/color'])(
    'with the path "%s" is refused with its place',
    (path) => {
      const error = errorOf(() => parsePatch({ op: 'replace', path, value }, 3))
      expect(error).toMatchObject({ code: 'InvalidInput', message: 'Invalid path provided in patch at index of 3.' })
      expect(error).toMatchObject({
        details: '',
        reason: 'patches[3].path must be /attributes/ and the name of one attribute.',
      })
    },
  )

  test('of a feed is refused for an invalid name of an attribute', () => {
    expect(() => toReplacement(['', value], 0)).toThrow(ApiError)
    expect(() => toReplacement(['color/value', value], 0)).toThrow(ApiError)
  })
})
