import type { Ajv2019, AnySchemaObject, FuncKeywordDefinition, ValidateFunction } from 'ajv/dist/2019.js'
import { BoundedMap } from '../../platform/bounded-map.ts'
import { isTimestamp } from '../../platform/timestamps.ts'
import type { FieldSchema } from './definition.ts'
import { toViolation, type Violation } from './violations.ts'

/** Finds what is wrong with the value of an attribute; nothing when it is valid. */
export type Check = (attribute: string, value: unknown) => readonly Violation[]

/** Turns the schemas of attributes into checks. */
export interface Compiler {
  checkOf(schema: FieldSchema): Check
}

export const MAX_VIOLATIONS = 50
const MAX_EXPLAINED_PARTS = 2_000
const MAX_CACHED_CHECKS = 2_000
const VALID: readonly Violation[] = []

// What is compiled here was checked when it was written down, so the meta-schema need not be loaded.
const options = {
  strict: false,
  validateSchema: false,
  meta: false,
  messages: false,
  logger: false,
  formats: { date: (text: string) => text.length === 10 && isTimestamp(text), 'date-time': isTimestamp },
} as const

let compiler: Promise<Compiler> | undefined

/** Loads the validator when it is first wanted: most processes check no attributes. */
export function loadCompiler(): Promise<Compiler> {
  compiler ??= import('ajv/dist/2019.js').then(({ Ajv2019 }) => createCompiler(Ajv2019))
  return compiler
}

function createCompiler(Validator: typeof Ajv2019): Compiler {
  const quick = new Validator({ ...options, keywords: ['selectors', maxUniqueItems] })
  const thorough = new Validator({ ...options, allErrors: true, keywords: ['selectors', maxUniqueItems] })
  // By what they say: many attributes say the same, and compiling takes a thousand times what checking does.
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
      // A long list with something wrong in each entry is not worth a long list of violations: the first will do.
      if (!isSmall(value)) return firstError.map((error) => toViolation(attribute, error))
      explain ??= compile(thorough, schema)
      explain(value)
      return (explain.errors ?? firstError).slice(0, MAX_VIOLATIONS).map((error) => toViolation(attribute, error))
    }
  }
}

function compile(validator: Ajv2019, schema: FieldSchema): ValidateFunction {
  const validate = validator.compile(schema)
  // The validator would keep every schema that it ever saw.
  validator.removeSchema(schema)
  return validate
}

/** At most so many entries may agree in all selectors: one name for each marketplace and language, for instance. */
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
