import { type ModelOperation, type Parameter, resolve, type Schema } from './model.ts'

/** The parts of a request, before they are written into a URL and a body. */
export interface ModelRequest {
  path: Record<string, unknown>
  query: Record<string, unknown>
  header: Record<string, unknown>
  body?: unknown
}

export type Random = () => number

/** What a parameter or a property can have: one of the values, or what a function makes. */
export type Source = readonly unknown[] | ((random: Random) => unknown)
export type Sources = Record<string, Source>

/** A choice of a case: the value at a place such as `query.pageSize` or `body.patches.*.op`. */
export interface Choice {
  place: string
  value: unknown
}

interface Options {
  random: Random
  /** By name. They come before what the schema alone would give. */
  sources: Sources
  /** How often an optional part is included, from 0 to 1. */
  optional: number
  /** Included whatever `optional` says. */
  include?: readonly string[]
  choice?: Choice | undefined
}

export function generateRequest(operation: ModelOperation, options: Options): ModelRequest {
  const request: ModelRequest = { path: {}, query: {}, header: {} }
  const generator = new Generator(operation.definitions, options)
  for (const parameter of operation.parameters) {
    const place = `${parameter.in}.${parameter.name}`
    if (!parameter.isRequired && !generator.includes(place)) continue
    request[parameter.in][parameter.name] = generator.value(parameter, parameter.name, place)
  }
  if (operation.body) request.body = generator.value(operation.body.schema, 'body', 'body')
  return request
}

class Generator {
  readonly #definitions: Record<string, Schema>
  readonly #options: Options

  constructor(definitions: Record<string, Schema>, options: Options) {
    this.#definitions = definitions
    this.#options = options
  }

  includes(place: string): boolean {
    const { random, optional, include = [], choice } = this.#options
    const isOnTheWay = (wanted: string) => wanted === place || wanted.startsWith(`${place}.`)
    if (choice && isOnTheWay(choice.place)) return true
    return include.some(isOnTheWay) || random() < optional
  }

  value(given: Schema, name: string, place: string): unknown {
    const { random, sources, choice } = this.#options
    if (choice?.place === place) return choice.value
    const source = sources[place] ?? sources[name]
    const schema = resolve(given, this.#definitions)
    if (source && !choice?.place.startsWith(`${place}.`)) return takeFrom(source, schema, random)
    if (schema.enum) return pick(schema.enum, random)
    if (schema.type === 'array') return this.#list(schema, name, place)
    if (schema.type === 'object' || schema.properties) return this.#object(schema, place)
    if (schema.type === 'integer' || schema.type === 'number') return numberFor(schema, random)
    if (schema.type === 'boolean') return random() < 0.5
    if (schema.format === 'date-time')
      return `2026-05-${String(1 + Math.floor(random() * 28)).padStart(2, '0')}T08:00:00Z`
    return 'x'.repeat(Math.max(1, schema.minLength ?? 0))
  }

  #list({ items = {}, minItems = 1, maxItems = 3 }: Schema, name: string, place: string): unknown[] {
    const length = minItems + Math.floor(this.#options.random() * (Math.min(maxItems, minItems + 2) - minItems + 1))
    const one = name.replace(/s$/, '')
    return unique(Array.from({ length: Math.max(1, length) }, () => this.value(items, one, `${place}.*`)))
  }

  #object({ properties = {}, required = [] }: Schema, place: string): Record<string, unknown> {
    const names = Object.keys(properties).filter((name) => required.includes(name) || this.includes(`${place}.${name}`))
    return Object.fromEntries(names.map((name) => [name, this.value(properties[name] ?? {}, name, `${place}.${name}`)]))
  }
}

/** A source of texts also serves a list of them. */
function takeFrom(source: Source, { type, maxItems = 3 }: Schema, random: Random): unknown {
  const take = () => (typeof source === 'function' ? source(random) : pick(source, random))
  const first = take()
  if (type !== 'array' || Array.isArray(first)) return first
  return unique([first, ...(maxItems > 1 && random() < 0.5 ? [take()] : [])])
}

const unique = (values: unknown[]) => [...new Map(values.map((value) => [JSON.stringify(value), value])).values()]

export const pick = <Value>(values: readonly Value[], random: Random): Value =>
  values[Math.floor(random() * values.length)] as Value

function numberFor({ type, minimum = 1, maximum = minimum + 9 }: Schema, random: Random): number {
  const value = minimum + random() * (maximum - minimum)
  return type === 'integer' ? Math.round(value) : Number(value.toFixed(2))
}

/** One choice for every value of every enumeration that the generator reaches. */
export function listChoices(operation: ModelOperation, sources: Sources): Choice[] {
  const { definitions, parameters, body } = operation
  const walk = (given: Schema, name: string, place: string, depth: number): Choice[] => {
    const schema = resolve(given, definitions)
    if (sources[place] ?? sources[name] ?? depth > 8) return []
    if (schema.enum) return schema.enum.map((value) => ({ place, value }))
    if (schema.items) return walk(schema.items, name.replace(/s$/, ''), `${place}.*`, depth + 1)
    return Object.entries(schema.properties ?? {}).flatMap(([key, one]) => walk(one, key, `${place}.${key}`, depth + 1))
  }
  return [
    ...parameters.flatMap((parameter: Parameter) =>
      walk(parameter, parameter.name, `${parameter.in}.${parameter.name}`, 0),
    ),
    ...(body ? walk(body.schema, 'body', 'body', 0) : []),
  ]
}
