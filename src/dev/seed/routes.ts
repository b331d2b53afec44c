import { Type } from 'typebox'
import { type App, errorResponses, type Routes } from '../../http/route.ts'
import { strict } from '../../marketplace/schema.ts'
import { ApiError } from '../../platform/errors/api-error.ts'
import { toSentence } from '../../platform/errors/sentences.ts'
import { Credentials } from './credentials-schema.ts'
import { formatProblem, SeedError, type SeedProblem } from './problems.ts'
import type { SeedCredentials } from './public.ts'
import type { ExportFormat } from './render-export.ts'
import { MAX_SEED_BYTES } from './seed-limits.ts'

export interface SeedControl {
  export(format: ExportFormat): Promise<string>
  import(bytes: Uint8Array): Promise<SeedCredentials[]>
  now(): Date
}

const YAML = 'application/yaml'
const JSON_TYPE = 'application/json'

const tags = ['stand-in']

/** The marketplace as a file. */
export function createSeedRoutes(control: SeedControl): Routes {
  return (app: App) => {
    app.get(
      '/_souk/export',
      {
        config: { access: 'public', exclusive: true },
        schema: {
          operationId: 'exportMarketplace',
          summary: 'Export the marketplace as a seed file',
          tags,
          querystring: Type.Object(
            { format: Type.Optional(Type.Enum(['yaml', 'json'], { description: 'Default: by Accept, or YAML' })) },
            strict,
          ),
          response: {
            200: {
              description: 'The seed',
              content: { [YAML]: { schema: Type.String() }, [JSON_TYPE]: { schema: Type.Object({}) } },
            },
            ...errorResponses,
          },
        },
      },
      async (request, reply) => {
        const { accept = '' } = request.headers
        const format = request.query.format ?? (accept.includes('json') && !accept.includes('yaml') ? 'json' : 'yaml')
        reply.type(`${format === 'json' ? JSON_TYPE : YAML}; charset=utf-8`)
        return reply.send((await control.export(format)) as never)
      },
    )

    app.post(
      '/_souk/import',
      {
        config: { access: 'public', exclusive: true, bodyAsBytes: true },
        bodyLimit: MAX_SEED_BYTES,
        schema: {
          operationId: 'importMarketplace',
          summary: 'Import a seed file in place of the marketplace',
          description: 'Replaces everything, or changes nothing. Each error has the line and column of what is wrong.',
          tags,
          consumes: [YAML, JSON_TYPE],
          body: Type.Optional(Type.Unsafe<Uint8Array>({ description: 'YAML or JSON, see /_souk/seed-schema.json' })),
          response: {
            200: Type.Object({
              time: Type.String({ format: 'date-time', description: 'The time of the clock' }),
              applications: Type.Array(Credentials, { description: 'With the credentials that are known' }),
            }),
            ...errorResponses,
          },
        },
      },
      async ({ body }) => {
        try {
          const applications = await control.import(body ?? new Uint8Array())
          return { time: control.now().toISOString(), applications }
        } catch (error) {
          if (error instanceof SeedError) throw toApiError(error)
          throw error
        }
      },
    )

    app.get(
      '/_souk/seed-schema.json',
      {
        config: { access: 'public', ungated: true },
        schema: {
          operationId: 'getSeedSchema',
          summary: 'Get the JSON Schema of seed files',
          tags,
          response: { 200: Type.Object({}, { additionalProperties: true, description: 'The schema' }) },
        },
      },
      async () => {
        const { seedJsonSchema } = await import('./schema.ts')
        return seedJsonSchema() as Record<string, unknown>
      },
    )
  }
}

/** One error for each problem. */
function toApiError({ problems }: SeedError): ApiError {
  const [first, ...others] = problems.map(
    (problem) => new ApiError('InvalidInput', toMessage(problem), toSentence(formatProblem(problem, 'body'))),
  ) as [ApiError, ...ApiError[]]
  return new ApiError(first.code, first.message, first.details, { otherErrors: others })
}

const toMessage = ({ path }: SeedProblem) =>
  path ? `The request has missing or invalid parameters: [${path}]` : 'The seed is not valid.'
