import { readFileSync } from 'node:fs'
import { InvalidArgumentError } from 'commander'
import type { FieldSchema, OperationField } from './operations.ts'

const UNIT_SECONDS: Record<string, number> = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }
const DURATION = /^(\d+(?:\.\d+)?(?:ms|[smhdw]))+$/
const DURATION_PART = /(\d+(?:\.\d+)?)(ms|[smhdw])/g

/** The seconds of `90s`, `1h30m` or `30d`. A number without a unit is seconds. Undefined for other texts. */
export function parseDuration(text: string): number | undefined {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text)
  if (!DURATION.test(text)) return undefined
  const parts = [...text.matchAll(DURATION_PART)]
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (UNIT_SECONDS[unit as string] as number), 0)
}

/** The value of a field from the text of an argument, by its schema. The service checks the rest. */
export function parseField({ name, schema }: OperationField, text: string): unknown {
  const fail = (what: string) => new InvalidArgumentError(`${name} must be ${what}, not "${text}".`)
  if (/Seconds$/.test(name)) {
    const seconds = parseDuration(text)
    if (seconds === undefined) throw fail('a duration such as 90s, 1h30m or 30d')
    return seconds
  }
  const choices = choicesOf(schema)
  if (choices) {
    const choice = choices.find((one) => String(one) === text)
    if (choice === undefined) throw fail(choices.join(' or '))
    return choice
  }
  switch (schema.type) {
    case 'number':
    case 'integer':
      if (text.trim() === '' || Number.isNaN(Number(text))) throw fail('a number')
      return Number(text)
    case 'boolean':
      if (text !== 'true' && text !== 'false') throw fail('true or false')
      return text === 'true'
    case 'string':
      return text
    case 'array':
      if (/^(\s*[[{]|@)/.test(text)) return [parseJson(text, name)].flat()
      return text.split(',').map((one) => parseItem(schema, name, one))
    case 'object':
      return parseJson(text, name)
    default:
      return looksLikeJson(text) ? parseJson(text, name) : text
  }
}

const parseItem = (schema: FieldSchema, name: string, text: string) =>
  parseField({ name, in: 'body', required: true, schema: schema.items ?? {} }, text.trim())

/** The text itself, or for `@file` the bytes of a file, whose encoding Souk checks. `@-` is standard input. */
export const readContent = (text: string, name: string): string | Buffer<ArrayBuffer> =>
  text.startsWith('@') ? readBytes(text.slice(1), name) : text

/** JSON text, or `@file` for that of a file. */
export function parseJson(text: string, name: string): unknown {
  const content = readContent(text, name).toString()
  try {
    return JSON.parse(content)
  } catch (error) {
    throw new InvalidArgumentError(`${name} is not valid JSON: ${(error as Error).message}.`)
  }
}

function readBytes(path: string, name: string): Buffer<ArrayBuffer> {
  try {
    return readFileSync(path === '-' ? 0 : path)
  } catch (error) {
    throw new InvalidArgumentError(`The file of ${name} cannot be read: ${(error as Error).message}.`)
  }
}

const looksLikeJson = (text: string) => /^(\s*[[{"]|true$|false$|null$|-?\d)/.test(text)

function choicesOf({ enum: values, const: only, anyOf }: FieldSchema): readonly unknown[] | undefined {
  if (values) return values
  if (only !== undefined) return [only]
  const each = anyOf?.map((one) => one.const)
  return each?.every((one) => one !== undefined) ? each : undefined
}
