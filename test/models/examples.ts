import type { CaseMaker } from './cases.ts'
import { type Check, describe, responseViolations } from './checks.ts'
import type { ModelRequest } from './generate.ts'
import type { Market } from './market.ts'
import type { Example, ModelOperation } from './model.ts'

/**
 * Sends the examples of the static sandbox, each with the other parameters that the operation requires. A response is
 * alike if it has the status of the example, every key of its body with a value of the same type, and is valid.
 */
export async function checkExamples(operation: ModelOperation, market: Market, maker: CaseMaker): Promise<Check[]> {
  const checks: Check[] = []
  for (const example of operation.examples) {
    const request = maker.combine(fillIn(operation, example, await maker.renew(maker.minimal(), market)))
    const response = await market.send(operation, request)
    const violations =
      response.status === example.status
        ? [...responseViolations(operation, response), ...shapeDifferences(bodyOf(operation, example), response.body)]
        : [`not ${example.status} but ${describe(response)}`]
    checks.push({ kind: 'examples', name: example.name, violations })
  }
  return checks
}

function fillIn(operation: ModelOperation, { parameters }: Example, minimal: ModelRequest): ModelRequest {
  const request = structuredClone(minimal)
  for (const [name, value] of Object.entries(parameters)) {
    const place = operation.parameters.find((parameter) => parameter.name === name)?.in
    if (place) request[place][name] = value
    else if (name === 'body') request.body = value
  }
  return request
}

/** Some examples have an empty object for a status that has no body. */
const bodyOf = ({ responses }: ModelOperation, { status, response }: Example) => responses.get(status) && response

/** Where a value lacks keys of another one, or has other types. Elements of lists count together. */
export function shapeDifferences(wanted: unknown, actual: unknown, place = 'body'): string[] {
  if (wanted === undefined) return []
  if (typeOf(wanted) !== typeOf(actual)) return [`${place} is ${typeOf(actual)}, not ${typeOf(wanted)}`]
  if (Array.isArray(wanted)) {
    if (wanted.length === 0) return []
    return shapeDifferences(merge(wanted), merge(actual as unknown[]), `${place}[]`)
  }
  if (typeof wanted !== 'object' || wanted === null) return []
  return Object.entries(wanted).flatMap(([key, value]) => {
    const own = (actual as Record<string, unknown>)[key]
    return own === undefined ? [`${place} has no ${key}`] : shapeDifferences(value, own, `${place}.${key}`)
  })
}

const typeOf = (value: unknown) => (Array.isArray(value) ? 'a list' : value === null ? 'null' : typeof value)

/** One value with the keys of all. */
function merge(values: readonly unknown[]): unknown {
  const [first] = values
  if (Array.isArray(first)) return values.flat()
  if (typeof first !== 'object' || first === null) return first
  const keys = new Set(values.flatMap((value) => Object.keys(value as object)))
  const valuesOf = (key: string) =>
    values.map((value) => (value as Record<string, unknown>)[key]).filter((value) => value !== undefined)
  return Object.fromEntries([...keys].map((key) => [key, mergeAny(valuesOf(key))]))
}

const mergeAny = (values: readonly unknown[]) => (Array.isArray(values[0]) ? values.flat() : merge(values))
