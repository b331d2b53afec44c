import { type Static, type TObject, Type } from 'typebox'
import { type App, errorResponses } from '../../http/route.ts'
import { requireValid } from '../../http/validator.ts'
import { strict } from '../../marketplace/schema.ts'
import { ApiError } from '../../platform/errors/api-error.ts'
import { type PageRequest, readPage } from '../../platform/paging.ts'
import { refuse } from '../checks.ts'
import { mergePatch } from './merge-patch.ts'
import type { Patch } from './patching.ts'

/** A kind of resource that the operator writes in batches and reads one by one or in pages. */
export interface ResourceDefinition<Resource extends object, View extends object> {
  /** As in the path, in the bodies and in operation ids: `orders`. */
  plural: string
  /** As in operation ids: `Order`. */
  singular: string
  /** As in prose. Default: the plural. */
  label?: string
  schema: TObject
  viewSchema: TObject
  /** The identifying properties, in the order of the path and of sorting. */
  key: (keyof Resource & keyof View & string)[]
  /** Properties that filter a list. */
  filters?: TObject
  upsert(resources: Resource[]): Promise<Partial<View>[]>
  find(key: Resource): Promise<View | undefined>
  list(page: PageRequest & Record<string, unknown>): Promise<View[]>
  /** Absent if the resource cannot be changed in parts. */
  patch?: Patch<Resource, Resource>
}

const MAX_BATCH_SIZE = 1000
const MAX_BATCH_BYTES = 16 * 1024 * 1024
export const DEFAULT_PAGE_SIZE = 100

export const PageQuery = Type.Object(
  {
    pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    pageToken: Type.Optional(Type.String({ maxLength: 1000 })),
  },
  strict,
)
type PageQuery = Static<typeof PageQuery>

const ChangedFields = Type.Object({}, { description: 'The fields that change' })

export const operatorTags = ['operator']
export const operatorConfig = { access: 'operator', listsViolations: true } as const

type Described = Pick<ResourceDefinition<object, object>, 'plural' | 'schema' | 'viewSchema' | 'filters'> & {
  key: readonly string[]
}

function describeResource({ plural, schema, viewSchema, key, filters }: Described) {
  return {
    batch: Type.Object({ [plural]: Type.Array(schema, { minItems: 1, maxItems: MAX_BATCH_SIZE }) }, strict),
    upserted: Type.Object({ [plural]: Type.Array(Type.Partial(viewSchema)) }),
    params: Type.Object(Object.fromEntries(key.map((name) => [name, Type.String()]))),
    query: Type.Object({ ...PageQuery.properties, ...filters?.properties }, strict),
    page: Type.Object({ [plural]: Type.Array(viewSchema), nextToken: Type.Optional(Type.String()) }),
  }
}

// Making the schemas takes longer than to register the routes, which each marketplace of a process does.
const described = new WeakMap<TObject, { plural: string; schemas: ReturnType<typeof describeResource> }>()

function schemasOf(resource: Described): ReturnType<typeof describeResource> {
  const known = described.get(resource.schema)
  if (known?.plural === resource.plural) return known.schemas
  const schemas = describeResource(resource)
  described.set(resource.schema, { plural: resource.plural, schemas })
  return schemas
}

/** Adds the routes common to all resources: upsert a batch, get one, list. */
export function addResourceRoutes<Resource extends object, View extends object>(
  app: App,
  {
    plural,
    singular,
    label = plural,
    schema,
    viewSchema,
    key,
    filters,
    upsert,
    find,
    list,
    patch,
  }: ResourceDefinition<Resource, View>,
): void {
  const path = `/operator/v1/${plural}`
  const capitalized = plural.replace(/^./, (letter) => letter.toUpperCase())
  const schemas = schemasOf({ plural, schema, viewSchema, key, ...(filters && { filters }) })
  const keyOf = (resource: Resource | View) => key.map((name) => String((resource as Record<string, unknown>)[name]))

  app.put(
    path,
    {
      config: operatorConfig,
      bodyLimit: MAX_BATCH_BYTES,
      schema: {
        operationId: `upsert${capitalized}`,
        summary: `Create or replace up to ${MAX_BATCH_SIZE} ${label} atomically`,
        tags: operatorTags,
        body: schemas.batch,
        response: { 200: schemas.upserted, ...errorResponses },
      },
    },
    async (request) => {
      const resources = (request.body as Record<string, Resource[]>)[plural] as Resource[]
      refuseRepeated(plural, resources.map(keyOf))
      return { [plural]: await upsert(resources) }
    },
  )

  const itemPath = [path, ...key.map((name) => `:${name}`)].join('/')

  app.get(
    itemPath,
    {
      config: operatorConfig,
      schema: {
        operationId: `find${singular}`,
        summary: `Get one of the ${label}`,
        tags: operatorTags,
        params: schemas.params,
        response: { 200: viewSchema, ...errorResponses },
      },
    },
    async (request) => {
      const found = await find(request.params as Resource)
      if (!found) throw new ApiError('NotFound', `The ${toWords(singular)} was not found.`)
      return found as Record<string, unknown>
    },
  )

  if (patch) {
    app.patch(
      itemPath,
      {
        config: operatorConfig,
        schema: {
          operationId: `patch${singular}`,
          summary: `Update some fields of one of the ${label}`,
          description: 'A merge patch (RFC 7396): null removes a field, and lists are replaced.',
          tags: operatorTags,
          consumes: ['application/json', 'application/merge-patch+json'],
          params: schemas.params,
          body: ChangedFields,
          response: { 200: schema, ...errorResponses },
        },
      },
      async (request) => {
        const patched = await patch(request.params as Resource, (before) => {
          const after = mergePatch(before, request.body) as Resource
          refuse(listChangedKeys(key, before, after))
          requireValid(schema, after)
          return after
        })
        if (!patched) throw new ApiError('NotFound', `The ${toWords(singular)} was not found.`)
        return patched as Record<string, unknown>
      },
    )
  }

  app.get(
    path,
    {
      config: operatorConfig,
      schema: {
        operationId: `list${capitalized}`,
        summary: `List ${label}`,
        tags: operatorTags,
        querystring: schemas.query,
        response: { 200: schemas.page, ...errorResponses },
      },
    },
    async (request) => {
      const { pageSize = DEFAULT_PAGE_SIZE, pageToken, ...filterValues } = request.query as PageQuery
      const readItems = (page: PageRequest) => list({ ...filterValues, ...page })
      const { items, ...next } = await readPage({ pageSize, pageToken }, key.length, readItems, keyOf)
      return { [plural]: items, ...next }
    },
  )
}

/** Turns `CatalogItem` into `catalog item`. */
const toWords = (name: string) => name.replace(/\B[A-Z]/g, ' $&').toLowerCase()

function refuseRepeated(plural: string, keys: string[][]): void {
  const firstIndex = new Map<string, number>()
  refuse(
    keys.flatMap((parts, index) => {
      const id = parts.join(' ')
      const first = firstIndex.get(id)
      if (first !== undefined)
        return [{ path: `${plural}[${index}]`, reason: `is the same as ${plural}[${first}]: ${id}` }]
      firstIndex.set(id, index)
      return []
    }),
  )
}

const listChangedKeys = <Resource extends object>(
  key: readonly (keyof Resource & string)[],
  before: Resource,
  after: Resource,
) =>
  key
    .filter((name) => before[name] !== after[name])
    .map((name) => ({ path: name, reason: `cannot change: it is ${before[name]}` }))
