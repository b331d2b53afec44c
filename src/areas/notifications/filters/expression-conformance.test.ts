import { describe, expect, test } from 'vitest'
import { Budget } from './expression-budget.ts'
import { ExpressionError } from './expression-errors.ts'
import { Evaluation } from './expression-evaluation.ts'
import { type Expression, parseExpression } from './expression-parser.ts'
import { NO_VALUE } from './expression-values.ts'

/** The conformance cases of the language's own specification, as far as filters support the expression. */
interface Case {
  name: string
  expr: string
  value?: Wire
  evalError?: object
  bindings?: Record<string, { value?: Wire }>
  container?: string
  typedResult?: object
}

/** A value as the cases write it: one key that names its type. */
type Wire = Record<string, unknown>
interface Suite {
  name: string
  suites?: Suite[]
  tests?: { original: unknown }[]
}

const casesOf = (suite: Suite, path: string): Case[] => [
  ...(suite.tests ?? []).map(({ original }) => {
    const one = original as Case
    return { ...one, name: `${path} ${one.name}` }
  }),
  ...(suite.suites ?? []).flatMap((inner) => casesOf(inner, `${path}/${inner.name}`)),
]

// Not a literal, so that types are checked without the package, and where it is not installed only this file fails.
const CASES: string = '@bufbuild/cel-spec/testdata/conformance.js'
const { tests } = (await import(CASES)) as { tests: Suite }

class UnsupportedValue extends Error {}

function fromWire(wire: Wire): unknown {
  const [[type, value] = []] = Object.entries(wire)
  if (type === 'listValue') return ((value as { values?: Wire[] }).values ?? []).map(fromWire)
  if (type === 'mapValue') {
    const { entries = [] } = value as { entries?: { key: Wire; value: Wire }[] }
    return Object.fromEntries(entries.map((entry) => [fromWire(entry.key), fromWire(entry.value)]))
  }
  if (type === 'nullValue') return null
  if (type === 'int64Value' || type === 'uint64Value') {
    const exact = BigInt(value as string)
    return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact
  }
  if (type === 'boolValue' || type === 'stringValue' || type === 'doubleValue') return value
  throw new UnsupportedValue(type)
}

/** Undefined if the case is about something that filters do not have: another function, a protocol buffer, a type. */
function supported(one: Case): { expression: Expression; payload: object; expected: unknown } | undefined {
  if (one.container !== undefined || one.typedResult !== undefined) return undefined
  try {
    const bindings = Object.entries(one.bindings ?? {}).map(([name, { value }]) => [name, fromWire(value ?? {})])
    // A name with dots is one of a namespace.
    if (bindings.some(([name]) => String(name).includes('.'))) return undefined
    const expected = one.evalError ? NO_VALUE : fromWire(one.value ?? { boolValue: true })
    return { expression: parseExpression(one.expr), payload: Object.fromEntries(bindings), expected }
  } catch (error) {
    if (error instanceof ExpressionError || error instanceof UnsupportedValue) return undefined
    throw error
  }
}

const cases = casesOf(tests, '').flatMap((one) => {
  const known = supported(one)
  return known ? [{ name: `${one.name}: ${one.expr}`, ...known }] : []
})

describe('the conformance cases of the Common Expression Language', () => {
  test('cover the supported features with hundreds of cases', () => {
    expect(cases.length).toBeGreaterThan(340)
  })

  test.each(cases)('$name', ({ expression, payload, expected }) => {
    expect(new Evaluation(payload, new Budget()).evaluate(expression)).toEqual(expected)
  })
})
