import type { Ajv2019, AnySchemaObject, FuncKeywordDefinition, ValidateFunction } from 'ajv/dist/2019.js'
import { BoundedMap } from '../../platform/bounded-map.ts'
import { countFewTexts } from '../../platform/text-length.ts'
import { isTimestamp } from '../../platform/timestamps.ts'
import type { FieldSchema } from './definition.ts'
import { toViolation, type Violation } from './violations.ts'

/** Returns the violations of an attribute value. */
export type Check = (attribute: string, value: unknown) => readonly Violation[]

/** Compiles the schemas of attributes. */
export interface Compiler {
  checkOf(schema: FieldSchema): Check
}

export const MAX_VIOLATIONS = 50
const MAX_EXPLAINED_PARTS = 2_000
const MAX_CACHED_CHECKS = 2_000
const VALID: readonly Violation[] = []

// Definitions are validated when written, so loading the meta-schema is not necessary.
const options = {
  strict: false,
  // JSON has no infinite numbers, but 1e400 is parsed as one, and would be stored as null.
  strictNumbers: true,
  validateSchema: false,
  meta: false,
  messages: false,
  logger: false,
  formats: { date: (text: string) => text.length === 10 && isTimestamp(text), 'date-time': isTimestamp },
} as const

let compiler: Promise<Compiler> | undefined

/** Loads the validator on first use, because most processes validate no attributes. */
export function loadCompiler(): Promise<Compiler> {
  compiler ??= import('ajv/dist/2019.js').then(({ Ajv2019 }) => createCompiler(Ajv2019))
  return compiler
}

function createCompiler(Validator: typeof Ajv2019): Compiler {
  const quick = countFewTexts(new Validator({ ...options, keywords: ['selectors', maxUniqueItems] }))
  const thorough = countFewTexts(
    new Validator({ ...options, allErrors: true, keywords: ['selectors', maxUniqueItems] }),
  )
  // By content: many attributes have equal schemas, and compiling takes a thousand times as long as validating.
  const checks = new BoundedMap<string, Check>(MAX_CACHED_CHECKS)

  return {
    checkOf(schema) {
      const text = JSON.stringify(schema)
      const known = checks.get(text)
      if (known) return known
      const check = createCheck(schema)
      checks.set(text, check)
      return check
    },
  }

  function createCheck(schema: FieldSchema): Check {
    let isValid: ValidateFunction | undefined
    let explain: ValidateFunction | undefined
    return (attribute, value) => {
      isValid ??= compile(quick, schema)
      if (isValid(value)) return VALID
      const firstError = isValid.errors ?? []
      // The first violation of a list is enough: a long list could have one per entry.
      if (!isSmall(value)) return firstError.map((error) => toViolation(attribute, error))
      explain ??= compile(thorough, schema)
      explain(value)
      return (explain.errors ?? firstError).slice(0, MAX_VIOLATIONS).map((error) => toViolation(attribute, error))
    }
  }
}

function compile(validator: Ajv2019, schema: FieldSchema): ValidateFunction {
  const validate = validator.compile(schema)
  // Otherwise the validator would cache every schema forever.
  validator.removeSchema(schema)
  return validate
}

/** Limits entries with equal selectors: one name per marketplace and language, for instance. */
const maxUniqueItems: FuncKeywordDefinition = {
  keyword: 'maxUniqueItems',
  type: 'array',
  compile(limit: number, { selectors = [] }: AnySchemaObject) {
    const isWithinLimit: ReturnType<NonNullable<FuncKeywordDefinition['compile']>> = (entries: unknown[]) => {
      if (entries.length <= limit || !exceedsPerSelector(entries, selectors, limit)) return true
      isWithinLimit.errors = [{ keyword: 'maxUniqueItems', params: { limit } }]
      return false
    }
    return isWithinLimit
  },
}

function exceedsPerSelector(entries: readonly unknown[], selectors: readonly string[], limit: number): boolean {
  const counts = new Map<string, number>()
  return entries.some((entry) => {
    const key = JSON.stringify(selectors.map((name) => (entry as Record<string, unknown> | null)?.[name]))
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count > limit
  })
}

function isSmall(value: unknown): boolean {
  const waiting = [value]
  let parts = 0
  while (waiting.length > 0) {
    const part = waiting.pop()
    if (typeof part !== 'object' || part === null) continue
    const children = Object.values(part)
    parts += children.length
    if (parts > MAX_EXPLAINED_PARTS) return false
    waiting.push(...children)
  }
  return true
}
