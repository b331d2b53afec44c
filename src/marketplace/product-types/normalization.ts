import type { FieldSchema } from './definition.ts'

type Normalize = (value: unknown) => unknown

// Text with more digits than a number holds exactly stays text, and fails validation.
const NUMERIC_TEXT = /^-?\d{1,15}(\.\d{1,15})?$/

/**
 * Creates a function that converts numeric text where the schema requires a number: feeds send `"19.90"` where patches
 * send `19.9`. Returns undefined if the schema has no numbers. The function copies its input, never modifies it.
 */
export function createNormalizer({ type, items, properties }: FieldSchema): Normalize | undefined {
  if (type === 'number' || type === 'integer') return toNumber
  if (type === 'array' && items) {
    const normalizeItem = createNormalizer(items)
    return normalizeItem && ((value) => (Array.isArray(value) ? normalizeList(value, normalizeItem) : value))
  }
  if (type !== 'object' || !properties) return undefined
  const plans = Object.entries(properties).flatMap(([name, schema]): [string, Normalize][] => {
    const plan = createNormalizer(schema)
    return plan ? [[name, plan]] : []
  })
  return plans.length === 0 ? undefined : (value) => (isObject(value) ? normalizeObject(value, plans) : value)
}

const toNumber: Normalize = (value) => (typeof value === 'string' && NUMERIC_TEXT.test(value) ? Number(value) : value)

function normalizeList(values: readonly unknown[], normalizeItem: Normalize): readonly unknown[] {
  let copy: unknown[] | undefined
  for (let index = 0; index < values.length; index++) {
    const after = normalizeItem(values[index])
    if (after === values[index]) continue
    copy ??= [...values]
    copy[index] = after
  }
  return copy ?? values
}

function normalizeObject(value: Record<string, unknown>, plans: readonly [string, Normalize][]) {
  let copy: Record<string, unknown> | undefined
  for (const [name, plan] of plans) {
    const before = value[name]
    if (before === undefined) continue
    const after = plan(before)
    if (after === before) continue
    copy ??= { ...value }
    copy[name] = after
  }
  return copy ?? value
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
