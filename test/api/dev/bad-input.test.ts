import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { testDialect } from '../../support/databases.ts'
import { readOperations, type Schema, sample } from '../../support/openapi-parameters.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

const onSqlite = test.skipIf(testDialect === 'postgres')

const UNKNOWN = 'nonsense'
/** No field takes a list of lists. */
const IMPOSSIBLE = [[]]

const document = JSON.parse(readFileSync(new URL('../../../openapi/control-plane.json', import.meta.url), 'utf8'))
/** An import takes a file. */
const writes = readOperations(document).filter(({ name, body }) => body && name !== 'importMarketplace')
const samples = { orderId: '902-4711471-4711471', asin: 'B0SOUK0001', countryCode: 'US' }

type Place = readonly string[]

/** A body that may be absent is an object or null. */
const objectIn = (schema: Schema): Schema => schema.anyOf?.find(({ type }) => type === 'object') ?? schema

/** The places of all objects with fields, and of all fields. `0` is an item of a list. */
function placesIn(given: Schema, place: Place = []): { objects: Place[]; fields: Place[] } {
  const schema = objectIn(given)
  const inside = (one: Schema, name: string) => placesIn(one, [...place, name])
  const parts =
    schema.type === 'array' && schema.items
      ? [inside(schema.items, '0')]
      : Object.entries(schema.properties ?? {}).map(([name, one]) => inside(one, name))
  const hasFields = Object.keys(schema.properties ?? {}).length > 0
  return {
    objects: [...(hasFields ? [place] : []), ...parts.flatMap(({ objects }) => objects)],
    fields: [...(place.length > 0 ? [place] : []), ...parts.flatMap(({ fields }) => fields)],
  }
}

/** A valid body, but for the value at the place. */
function withValue(given: Schema, [name, ...rest]: Place, value: unknown): unknown {
  if (name === undefined) return value
  const schema = objectIn(given)
  if (schema.type === 'array') {
    const { items = {}, minItems = 1 } = schema
    const others = Array.from({ length: minItems - 1 }, () => sample(items, '', samples))
    return [withValue(items, rest, value), ...others]
  }
  const whole = sample(schema, '', samples) as Record<string, unknown>
  return { ...whole, [name]: withValue(schema.properties?.[name] ?? {}, rest, value) }
}

describe('bad input of the control plane', () => {
  let souk: TestSouk
  let ruleId: string
  let exported: string
  beforeAll(async () => {
    souk = await startTestSouk()
    exported = await exportOf()
    ruleId = (await souk.faults.add({ action: { kind: 'lose' } })).id
  })

  const exportOf = async () => (await souk.get('/_souk/export')).body
  /** What is not in an export, which takes longer. */
  async function stateOf() {
    const paths = ['clock', 'faults', 'incidents', 'forks', 'snapshots', 'life', 'readings']
    return Promise.all(paths.map(async (path) => (await souk.get(`/_souk/${path}`)).body))
  }

  const cases = writes.flatMap((operation) => {
    const { objects, fields } = placesIn(operation.body as Schema)
    return [
      ...objects.map((place) => ({ operation, place: [...place, UNKNOWN], value: 1, what: 'an unknown field' })),
      ...fields.map((place) => ({ operation, place, value: IMPOSSIBLE, what: 'an impossible value' })),
    ].map((one) => ({ ...one, title: `${operation.name}: ${one.what} at ${one.place.join('.')}` }))
  })

  test('is tried on every operation that takes a body', () => {
    const strict = cases.filter(({ value }) => value === 1)
    expect(new Set(strict.map(({ operation }) => operation))).toEqual(new Set(writes))
    expect(strict.length).toBeGreaterThan(writes.length)
  })

  test.each(writes.map(({ name }) => name))('gets 400 with its place, and changes nothing: %s', async (name) => {
    const before = await stateOf()
    for (const { operation, place, value, title } of cases.filter((one) => one.operation.name === name)) {
      const path = operation.path.replace('{id}', ruleId).replace('{name}', 'stuck-feed')
      const payload = withValue(operation.body as Schema, place, value) as object
      const response = await souk.send(operation.method as 'POST', path, { payload })
      expect(response.statusCode, `${title}: ${response.body}`).toBe(400)
      const name = place.findLast((part) => part !== '0') as string
      const { errors } = response.json() as { errors: { message: string }[] }
      const places = errors.map(({ message }) => /: \[(.*)\]$/.exec(message)?.[1])
      expect(places, `${title}: ${response.body}`).toContainEqual(expect.stringMatching(new RegExp(`\\b${name}\\b`)))
    }
    expect(await stateOf()).toEqual(before)
  })

  test.each([
    ['GET', '/_souk/requests?operaton=getOrder', undefined, 'operaton is not allowed. Did you mean operation?'],
    ['GET', '/_souk/requests?nonsense=getOrder', undefined, 'nonsense is not allowed.'],
    ['POST', '/_souk/clock', { advanceSecond: 5 }, 'advanceSecond is not allowed. Did you mean advanceSeconds?'],
    ['PATCH', '/_souk/readings', { nonsense: 400 }, 'nonsense is not allowed.'],
    [
      'POST',
      '/_souk/faults',
      { match: { operation: 'getOrder' }, action: { kind: 'status', status: 500 } },
      'match.operation is not allowed. Did you mean operations?',
    ],
    [
      'POST',
      '/_souk/verify',
      { expectations: [{ operation: 'getOrder', counts: { exactly: 1 } }] },
      'expectations[0].counts is not allowed. Did you mean count?',
    ],
    [
      'POST',
      '/_souk/faults',
      { action: { kind: 'status', status: 503, stauts: 503 } },
      // It has a status.
      'action.stauts is not allowed.',
    ],
    ['POST', '/_souk/import', { selers: [] }, 'body:1:2: selers: is not allowed. Did you mean sellers?'],
  ] as const)(
    'such as an unknown name gets the one that may be meant: %s %s',
    async (method, path, payload, details) => {
      expect(errorOf(await souk.send(method, path, { ...(payload && { payload }) }))).toMatchObject({
        status: 400,
        details,
      })
    },
  )

  test('such as an unknown queue gets 404 and how to find the known ones', async () => {
    expect(errorOf(await souk.get('/_souk/queue/nope/messages'))).toMatchObject({
      status: 404,
      details: 'GET /_souk/queue lists them.',
    })
  })

  test('leaves the content of the marketplace as it was', async () => {
    expect(await exportOf()).toBe(exported)
  })

  test('in an import gets 400 with its line, and changes nothing', async () => {
    const before = [await exportOf(), ...(await stateOf())]
    for (const payload of ['sellers: []\nnonsense: 1\n', 'sellers:\n  - sellerId: [[]]\n', 'nonsense']) {
      const headers = { 'content-type': 'application/yaml' }
      const response = await souk.post('/_souk/import', { payload, headers })
      expect(response.statusCode, response.body).toBe(400)
      expect(response.body).toMatch(/body:\d+:\d+/)
    }
    expect([await exportOf(), ...(await stateOf())]).toEqual(before)
  })

  test('such as the taken id of an order gets 409 with its place, and changes nothing', async () => {
    const order = { orderId: '902-4711471-4711471', sku: 'SOUK-SHOE-001' }
    await souk.buyer.order(order)
    const before = [await exportOf(), ...(await stateOf())]
    const response = await souk.post('/_souk/acts/buyer/order', { payload: order })
    expect(errorOf(response)).toMatchObject({ status: 409, details: 'orderId already exists.' })
    expect([await exportOf(), ...(await stateOf())]).toEqual(before)
  })

  onSqlite('such as the taken name of a snapshot gets 400, and changes nothing', async () => {
    const take = () => souk.post('/_souk/snapshots', { payload: { name: 'taken' } })
    expect((await take()).statusCode).toBe(201)
    const before = [await exportOf(), ...(await stateOf())]
    expect(errorOf(await take())).toMatchObject({ status: 400, details: expect.stringContaining('name is taken') })
    expect([await exportOf(), ...(await stateOf())]).toEqual(before)
  })
})
