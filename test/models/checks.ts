import type { CaseMaker } from './cases.ts'
import type { ModelRequest } from './generate.ts'
import { type InvalidRequest, listInvalidRequests } from './invalid-requests.ts'
import type { Market, ReceivedResponse } from './market.ts'
import type { ModelOperation } from './model.ts'
import { listUndocumentedKeys, listViolations } from './violations.ts'

export const CHECK_KINDS = ['route', 'parameters', 'valid', 'invalid', 'examples', 'quota'] as const
export type CheckKind = (typeof CHECK_KINDS)[number]

/** One thing that was checked, and what is wrong with it. */
export interface Check {
  kind: CheckKind
  name: string
  violations: string[]
}

export function checkRoute(operation: ModelOperation, market: Market): Check {
  const served = market.find(operation)
  // Ids are unique in the OpenAPI document, so of two versions with the same name, one has its version in the id.
  const hasName = served && new RegExp(`^${operation.name}\\d*$`).test(served.name)
  return {
    kind: 'route',
    name: `${operation.method} ${operation.path}`,
    violations: hasName ? [] : [served ? `has the operation id ${served.name}` : 'is not there'],
  }
}

/** Each parameter alone. Souk ignores unknown ones, so the parameter must also be in its own documentation. */
export async function checkParameters(operation: ModelOperation, market: Market, maker: CaseMaker): Promise<Check[]> {
  const served = market.find(operation)
  const documented = new Set([
    ...(served?.parameters ?? []).map(({ name }) => name),
    ...Object.keys(served?.body?.properties ?? {}).map((name) => `body.${name}`),
  ])
  const checks: Check[] = []
  for (const { name, request } of maker.parameterCases()) {
    const response = await market.send(operation, await maker.renew(request, market))
    checks.push({
      kind: 'parameters',
      name,
      violations: [
        ...(isSuccess(operation, response) ? [] : [describe(response)]),
        ...(documented.has(name) ? [] : ['Souk does not document it']),
      ],
    })
  }
  return checks
}

export async function checkValidRequests(
  operation: ModelOperation,
  market: Market,
  maker: CaseMaker,
): Promise<Check[]> {
  const checks: Check[] = []
  const undocumented = new Set<string>()
  for (const { name, request } of maker.validCases()) {
    const response = await market.send(operation, await maker.renew(request, market))
    const schema = operation.responses.get(response.status)
    if (schema) for (const key of listUndocumentedKeys(operation, schema, response.body)) undocumented.add(key)
    checks.push({
      kind: 'valid',
      name,
      violations: [
        ...requestViolations(operation, request).map((text) => `the kit made an invalid request: ${text}`),
        ...(isSuccess(operation, response) ? responseViolations(operation, response) : [describe(response)]),
      ],
    })
  }
  const violations = [...undocumented].sort().map((key) => `the model has no key ${key}`)
  return [...checks, { kind: 'valid', name: 'keys of the responses', violations }]
}

export async function checkInvalidRequests(
  operation: ModelOperation,
  market: Market,
  maker: CaseMaker,
): Promise<Check[]> {
  const minimal = await maker.renew(maker.minimal(), market)
  const whole = operation.body && (await maker.renew(maker.everything(), market))
  const requests = [
    ...listInvalidRequests({ ...operation, body: undefined }, minimal),
    ...(whole ? listInvalidRequests({ ...operation, parameters: [] }, whole) : []),
  ]
  const refused: InvalidRequest[] = []
  const checks: Check[] = []
  for (const invalid of requests) {
    const response = await market.send(operation, invalid.request, invalid)
    if (response.status >= 400) refused.push(invalid)
    checks.push({ kind: 'invalid', name: invalid.name, violations: errorViolations(operation, response) })
  }
  return [...checks, await checkNothingWritten(operation, market, refused)]
}

/** Sends the refused requests again, and compares all rows. */
async function checkNothingWritten(
  operation: ModelOperation,
  market: Market,
  refused: InvalidRequest[],
): Promise<Check> {
  const before = await market.readRows()
  for (const invalid of refused) await market.send(operation, invalid.request, invalid)
  const after = await market.readRows()
  const known = new Set(before)
  const written = after.filter((row) => !known.has(row))
  const lost = before.length + written.length - after.length
  return {
    kind: 'invalid',
    name: 'nothing is written',
    violations: [
      ...written.slice(0, 3).map((row) => `wrote ${row.slice(0, 200)}`),
      ...(lost > 0 ? [`deleted ${lost} rows`] : []),
    ],
  }
}

/** The documented rate and burst: as many requests as the burst succeed, then one per period. */
export async function checkQuota(operation: ModelOperation, market: Market, request: ModelRequest): Promise<Check[]> {
  const { quota } = operation
  if (!quota) return []
  const { perSecond, burst } = quota
  market.forgetTokens()
  const send = () => market.send(operation, request)
  const statuses: number[] = []
  let limit: unknown
  for (let count = 0; count < burst; count++) {
    const response = await send()
    statuses.push(response.status)
    limit ??= response.headers['x-amzn-ratelimit-limit']
  }
  const exceeded = await send()
  market.clock.advance(Math.ceil(1000 / perSecond))
  market.forgetTokens()
  const later = await send()
  const violations = [
    ...(Number(limit) === perSecond ? [] : [`the rate is ${limit}, not ${perSecond}`]),
    ...(statuses.includes(429) ? [`the burst is ${statuses.indexOf(429)}, not ${burst}`] : []),
    ...(exceeded.status === 429 ? errorViolations(operation, exceeded) : [`the burst is larger than ${burst}`]),
    ...(later.status === 429 ? ['a request after the period gets 429'] : []),
  ]
  return [{ kind: 'quota', name: `${perSecond} per second, burst ${burst}`, violations }]
}

const isSuccess = ({ responses }: ModelOperation, { status }: ReceivedResponse) => status < 300 && responses.has(status)

export const describe = ({ status, text, headers }: ReceivedResponse) =>
  `${status} ${text.slice(0, 300)} ${decodeURIComponent(String(headers['x-souk-reason'] ?? ''))}`.trim()

function requestViolations(operation: ModelOperation, { body }: ModelRequest): string[] {
  return operation.body && body !== undefined ? listViolations(operation, operation.body.schema, body) : []
}

export function responseViolations(
  operation: ModelOperation,
  { status, body, text, headers }: ReceivedResponse,
): string[] {
  const schema = operation.responses.get(status)
  if (!schema) return text === '' || text === '{}' ? [] : [`${status} has a body, which the model does not have`]
  const type = String(headers['content-type'])
  return [...(/json/.test(type) ? [] : [`the content type is ${type}`]), ...listViolations(operation, schema, body)]
}

function errorViolations(operation: ModelOperation, response: ReceivedResponse): string[] {
  const { status } = response
  if (status < 400) return [`gets ${status}`]
  if (status >= 500) return [describe(response)]
  if (!operation.responses.has(status)) return [`gets ${status}, which the model does not have`]
  const errors = (response.body as { errors?: unknown[] } | undefined)?.errors
  const envelope = Array.isArray(errors) && errors.length > 0 ? [] : ['the body has no errors']
  return [...envelope, ...responseViolations(operation, response)]
}
