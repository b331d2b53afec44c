import { formatFieldPath } from '../../http/field-path.ts'
import { findUnsafeValue } from '../../platform/unstorable-json.ts'
import { parseJsonText } from './json-text.ts'
import { SeedError } from './problems.ts'
import type { SeedText } from './seed-text.ts'
import { inSteps, type ReportReading } from './steps.ts'
import { parseYamlText } from './yaml-text.ts'

export const MAX_TEXT_BYTES = 64 * 1024 * 1024
const MAX_VALUES = 10_000_000
const MAX_LEVELS = 100

/** Reads YAML or JSON. Throws a `SeedError` with the places of what is wrong. */
export async function readSeedText(bytes: Uint8Array, report?: ReportReading): Promise<SeedText> {
  if (bytes.length > MAX_TEXT_BYTES)
    throw new SeedError([{ path: '', reason: `has more than ${MAX_TEXT_BYTES} bytes` }])
  const text = decode(bytes)
  // More likely a mistake than a marketplace without anything.
  if (!/\S/.test(text)) throw new SeedError([{ path: '', reason: 'is empty; `{}` is a marketplace without anything' }])
  const read = (/^\s*\{/.test(text) && (await parseJsonText(text, report))) || (await parseYamlText(text, report))
  await refuseUnsafe(read)
  return read
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new SeedError([{ path: '', reason: 'is not valid UTF-8' }])
  }
}

/** Aliases make a short text a large value, or one that contains itself. */
async function refuseUnsafe({ value, locate }: SeedText): Promise<void> {
  const refuse = (path: string, reason: string): never => {
    throw new SeedError([{ path, reason, ...locate(path) }])
  }
  let values = 0
  const visit = (one: unknown, level: number): void => {
    if (++values > MAX_VALUES) refuse('', `has more than ${MAX_VALUES} values`)
    if (level > MAX_LEVELS) refuse('', `is nested more than ${MAX_LEVELS} levels deep`)
    if (typeof one === 'number' && !Number.isFinite(one)) refuse('', 'has a number that is not finite')
    if (typeof one !== 'object' || one === null) return
    if (Array.isArray(one)) for (const item of one) visit(item, level + 1)
    else for (const member of Object.values(one)) visit(member, level + 1)
  }
  const check = (part: unknown, path: readonly string[]) => {
    visit(part, path.length)
    const unsafe = findUnsafeValue(part)
    if (unsafe) refuse(formatFieldPath([...path, ...unsafe.path]), unsafe.reason)
  }
  // Lists in steps: they can be long.
  const isObject = typeof value === 'object' && value !== null
  const lists = isObject ? Object.entries(value).filter(([, section]) => Array.isArray(section)) : []
  check(isObject ? { ...value, ...Object.fromEntries(lists.map(([name]) => [name, []])) } : value, [])
  for (const [name, items] of lists) {
    await inSteps(items as unknown[], (some, first) => {
      for (const [index, item] of some.entries()) check(item, [name, String(first + index)])
    })
  }
}
