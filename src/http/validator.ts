import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'
import { IsOptional, type TSchema } from 'typebox'
import {
  ApiError,
  type ApiErrorOptions,
  invalidInput,
  invalidParameters,
  type Violation,
} from '../platform/errors/api-error.ts'
import type { Explanation, RequestChange } from '../platform/errors/explanation.ts'
import { toSentence } from '../platform/errors/sentences.ts'
import { schemaOptions } from '../platform/schema-check.ts'
import { findSimilar } from '../platform/similar-words.ts'
import { countFewTexts } from '../platform/text-length.ts'
import { describeReason } from '../platform/violation-reason.ts'
import { createViolationList } from './body-violations.ts'
import { compileOnce } from './compile-once.ts'
import { correctInput, failedSchemaOf, valueAtPointer } from './corrected-input.ts'
import { formatFieldPath } from './field-path.ts'
import type { FastifyApp } from './route.ts'
import { describeUnknown } from './unknown-field.ts'

const options = { ...schemaOptions, allErrors: false, useDefaults: true } as const
const MAX_COMPARED_KEYS = 50
const MAX_COMPARED_KEY_LENGTH = 100

// Bodies say what they mean; queries and paths are all text, so there "5" may be a number.
const bodyValidator = countFewTexts(new Ajv({ ...options, coerceTypes: false }))
const textValidator = countFewTexts(new Ajv({ ...options, coerceTypes: true }))

const compileBody = compileOnce(bodyValidator)
const compileText = compileOnce(textValidator)

const listViolations = createViolationList(compileBody)

/** Lists what is wrong with a value, and fills in the defaults of its schema. */
export const findViolations = (schema: TSchema, value: unknown): Violation[] => listViolations(schema, value)

/** Throws all violations of a value that a request has in part. */
export function requireValid(schema: TSchema, value: unknown): void {
  const violations = listViolations(schema, value)
  if (violations.length > 0) throw invalidParameters(violations)
}

/** Validates by the routes' own schemas. A schema is compiled when its first request comes: not all are ever used. */
export function addValidator(app: FastifyApp): void {
  const compilerOf =
    (explainBody: Explain): FastifySchemaCompiler<TSchema> =>
    ({ schema, httpPart }) => {
      if (httpPart === 'params' && isAnyText(schema)) return () => true
      if (httpPart === 'querystring') return validateQuery(schema)
      const compile = httpPart === 'body' ? compileBody : compileText
      const explainError = httpPart === 'body' ? explainBody : explain
      const mayBeAbsent = httpPart === 'body' && IsOptional(schema)
      let validate: ValidateFunction | undefined
      return (input: unknown) => {
        if (isAbsent(input) && mayBeAbsent) return { value: input }
        validate ??= compile(schema)
        if (validate(input)) return { value: input }
        return { error: explainError(validate.errors?.[0], httpPart, input, schema, validate) }
      }
    }
  const listingCompiler = compilerOf(explainAll)
  app.setValidatorCompiler<TSchema>(compilerOf(explain))
  app.addHook('onRoute', (route) => {
    if (route.config?.listsViolations) route.validatorCompiler = listingCompiler
  })
}

type Explain = (
  error: ErrorObject | undefined,
  httpPart: string | undefined,
  input: unknown,
  schema: TSchema,
  validate: ValidateFunction,
) => ApiError

const explainAll: Explain = (error, httpPart, input, schema, validate) => {
  const violations = isAbsent(input) ? [] : listViolations(schema, input)
  // A missing key may be misspelled.
  const isExplained = violations.length === 0 || (violations.length === 1 && error?.keyword === 'required')
  if (isExplained) return explain(error, httpPart, input, schema, validate)
  return invalidParameters(violations, corrects(httpPart, input, schema, validate))
}

/** The parser gives the same object for the same text, so each text is validated once for as long as that is kept. */
function validateQuery(schema: TSchema) {
  const lists = listNames(schema)
  const valid = new WeakMap<object, object>()
  let validate: ValidateFunction | undefined
  return (input: object) => {
    const known = valid.get(input)
    if (known) return { value: known }
    validate ??= compileText(schema)
    const query: Record<string, unknown> = { ...input }
    for (const name of lists) splitList(query, name)
    if (!validate(query)) return { error: explain(validate.errors?.[0], 'querystring', query, schema, validate) }
    // Duplicates in a list are removed.
    for (const name of lists) if (query[name]) query[name] = Object.freeze([...new Set(query[name] as unknown[])])
    valid.set(input, Object.freeze(query))
    return { value: query }
  }
}

// The framework hands a body that did not come to the validator as null.
const isAbsent = (input: unknown) => input === undefined || input === null

/** What stands in a path is text, so a schema that asks for no more has nothing to check. */
function isAnyText(schema: TSchema): boolean {
  const { properties = {} } = schema as { properties?: Record<string, { type?: string; description?: string }> }
  return Object.values(properties).every(
    ({ type, description: _, ...constraints }) => type === 'string' && Object.keys(constraints).length === 0,
  )
}

function listNames(schema: TSchema): string[] {
  const properties = (schema as { properties?: Record<string, { type?: string }> }).properties ?? {}
  return Object.keys(properties).filter((name) => properties[name]?.type === 'array')
}

function splitList(query: Record<string, unknown>, name: string): void {
  const value = query[name]
  if (value === undefined) return
  if (typeof value === 'string' && value !== '' && !value.includes(',')) {
    query[name] = [value]
    return
  }
  const values = Array.isArray(value) ? value : [value]
  query[name] = values.flatMap((item) => String(item).split(',')).filter((item) => item !== '')
}

const explain: Explain = (error, httpPart, input, schema, validate) => {
  const explained = corrects(httpPart, input, schema, validate)
  if (httpPart === 'body' && isAbsent(input)) {
    return new ApiError(
      'InvalidInput',
      'The request has missing or invalid parameters.',
      'The request body is missing.',
      { field: 'body', ...explained },
    )
  }
  const path = formatFieldPath(segmentsOf(error))
  const similar = findMisspelling(error, input)
  if (similar)
    return invalidInput(path, `${path} is required. The request has ${similar}: did you mean ${path}?`, explained)
  const reason = describeUnknownAt(error, input, schema) ?? describeReason(error)
  return invalidInput(path || 'body', toSentence(`${path || 'The body'} ${reason}`), explained)
}

/** Of a key that the schema does not have. */
function describeUnknownAt(error: ErrorObject | undefined, input: unknown, schema: TSchema): string | undefined {
  const { additionalProperty: key } = (error?.params ?? {}) as { additionalProperty?: string }
  if (error === undefined || key === undefined) return undefined
  const fields = valueAtPointer(input, error.instancePath) ?? {}
  return describeUnknown(key, fields, failedSchemaOf(schema, error).properties ?? {})
}

type Explained = Pick<ApiErrorOptions, 'explain' | 'explainSent'>

function corrects(
  httpPart: string | undefined,
  input: unknown,
  schema: TSchema,
  validate: ValidateFunction,
): Explained {
  if (httpPart === 'body') return correctsBody(schema, validate)
  return { explain: () => correction(httpPart, input, schema, validate) }
}

// Apart from the above, because functions of one scope keep what any of them uses.
const correctsBody = (schema: TSchema, validate: ValidateFunction): Explained => ({
  explainSent: (body) => correction('body', body, schema, validate),
})

/** All that is wrong with this part of the request, and how it would be valid. */
function correction(
  httpPart: string | undefined,
  input: unknown,
  schema: TSchema,
  validate: ValidateFunction,
): Explanation {
  const corrected = correctInput(schema, input, validate)
  const part = httpPart === 'querystring' ? 'query' : (httpPart ?? 'request')
  const violations = listViolations(schema, input).map(({ path, reason }) => `${path || `the ${part}`} ${reason}`)
  return {
    rule: `The ${part} of the request must satisfy the schema of the operation, which /docs/try shows.`,
    facts: { violations, sent: input ?? null },
    ...(corrected === undefined
      ? { noNearest: 'The schema does not say which values are right: send your own where the violations are.' }
      : { change: toChange(part, input, corrected) }),
  }
}

function toChange(part: string, sent: unknown, corrected: unknown): RequestChange {
  if (part === 'query') return { query: toQuery(sent, corrected) }
  return part === 'params' ? { fields: corrected as Record<string, unknown> } : { body: { '': corrected } }
}

/** What is different in the query. */
function toQuery(sent: unknown, corrected: unknown): Record<string, string | null> {
  const before = sent as Record<string, unknown>
  const after = corrected as Record<string, unknown>
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  const changed = [...names].filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  return Object.fromEntries(
    changed.map((name) => [name, after[name] === undefined ? null : [after[name]].flat().join(',')]),
  )
}

/** The key beside a missing one that looks like it: `marketplaceId` where `marketplaceIds` is missing. */
function findMisspelling(error: ErrorObject | undefined, input: unknown): string | undefined {
  const missing: unknown = error?.params.missingProperty
  if (typeof missing !== 'string' || error?.instancePath !== '' || typeof input !== 'object') return undefined
  return findSimilar(
    missing,
    Object.keys(input ?? {})
      .slice(0, MAX_COMPARED_KEYS)
      .filter(isShort),
  )[0]
}

const isShort = (key: string) => key.length <= MAX_COMPARED_KEY_LENGTH

/** The keys that lead to what is wrong. */
function segmentsOf(error: ErrorObject | undefined): string[] {
  const own = error?.params.missingProperty ?? error?.params.additionalProperty
  const segments = (error?.instancePath ?? '').split('/').slice(1).map(unescapePointer)
  return own === undefined ? segments : [...segments, String(own)]
}

const unescapePointer = (segment: string) => segment.replaceAll('~1', '/').replaceAll('~0', '~')
