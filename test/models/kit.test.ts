import { describe, expect, test } from 'vitest'
import { listFallen, raise } from './baseline.ts'
import { shapeDifferences } from './examples.ts'
import { generateRequest, listChoices } from './generate.ts'
import { listInvalidRequests } from './invalid-requests.ts'
import type { ModelOperation, Schema } from './model.ts'
import { DifferenceList } from './outcome.ts'
import { listUndocumentedKeys, listViolations } from './violations.ts'

const Color: Schema = { type: 'string', enum: ['red', 'blue'] }
const Body: Schema = {
  type: 'object',
  required: ['colors', 'at'],
  properties: {
    colors: { type: 'array', minItems: 1, maxItems: 2, items: { $ref: '#/definitions/Color' } },
    at: { type: 'string', format: 'date-time' },
    size: { allOf: [{ type: 'object', required: ['width'], properties: { width: { type: 'integer', minimum: 1 } } }] },
  },
}
const operation: ModelOperation = {
  model: 'things',
  name: 'createThing',
  method: 'POST',
  path: '/things/{thingId}',
  parameters: [
    { name: 'thingId', in: 'path', type: 'string', isRequired: true },
    { name: 'pageSize', in: 'query', type: 'integer', minimum: 2, maximum: 5, isRequired: false },
  ],
  body: { schema: Body, isRequired: true },
  responses: new Map(),
  examples: [],
  quota: undefined,
  definitions: { Color },
}
const generate = (optional: number) => generateRequest(operation, { random: () => 0.4, sources: {}, optional })

describe('generated requests', () => {
  test('satisfy the model, with and without what is optional', () => {
    for (const optional of [0, 1]) expect(listViolations(operation, Body, generate(optional).body)).toEqual([])
    expect(generate(0).query).toEqual({})
    expect(generate(1).query.pageSize).toBeGreaterThanOrEqual(2)
  })

  test('cover every value of an enumeration, at any depth', () => {
    const values = ['red', 'blue'].map((value) => ({ place: 'body.colors.*', value }))
    expect(listChoices(operation, {})).toEqual(values)
  })

  test('that are invalid do not satisfy the model', () => {
    const invalid = listInvalidRequests({ ...operation, parameters: [] }, generate(1))
    const whole = invalid.filter(({ text }) => text === undefined)
    expect(whole.length).toBeGreaterThan(10)
    for (const { name, request } of whole) expect(listViolations(operation, Body, request.body), name).not.toEqual([])
    const names = listInvalidRequests({ ...operation, body: undefined }, generate(0)).map(({ name }) => name)
    expect(names).toEqual([
      'pageSize not a number',
      'pageSize not an integer',
      'pageSize below the minimum',
      'pageSize above the maximum',
    ])
  })
})

test('a response with a key that the model does not have is noticed, also in a list', () => {
  const list: Schema = { type: 'array', items: Body }
  expect(listUndocumentedKeys(operation, list, [{ at: '', sizes: {}, size: { width: 1, depth: 2 } }])).toEqual([
    '[].sizes',
    '[].size.depth',
  ])
})

test('a response differs in shape if it lacks a key of the example or has another type, not by values or more keys', () => {
  const example = { items: [{ a: 1 }, { b: 'x' }], none: [] }
  expect(shapeDifferences(example, { items: [{ a: 7, b: 'y', c: 0 }], none: [1], more: 1 })).toEqual([])
  expect(shapeDifferences(example, { items: [{ a: '7' }], none: {} })).toEqual([
    'body.items[].a is string, not number',
    'body.items[] has no b',
    'body.none is object, not a list',
  ])
})

test('a failed check needs a listed difference, and a listed difference needs a failed check', () => {
  const difference = { operations: ['a', 'b'], kind: 'examples', names: ['200'], reason: 'Because.' } as const
  const list = new DifferenceList([difference])
  const failed = { kind: 'examples', violations: ['wrong'] } as const
  const checks = ['200', '400'].map((name) => ({ ...failed, name, violations: ['wrong'] }))
  const outcome = list.judge('a', true, checks)
  expect(outcome).toMatchObject({ failures: [{ name: '400' }], reasons: ['Because.'] })
  expect(outcome.counts.examples).toEqual({ passed: 0, total: 2 })
  expect(list.listUnused(['a', 'b'])).toEqual(['b, examples 200 (difference 1)'])
})

test('the baseline only rises', () => {
  const before = { getThing: { route: 1, valid: 5 }, gone: { route: 1 } }
  const now = { getThing: { route: 1, valid: 4, invalid: 2 } }
  expect(listFallen(before, now)).toEqual([
    'getThing: 4 checks of valid pass, before 5',
    'gone is in the baseline, but in no model',
  ])
  expect(raise(before, now)).toEqual({ getThing: { route: 1, valid: 5, invalid: 2 }, gone: { route: 1 } })
})
