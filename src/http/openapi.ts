import { type FastifyInstance, fastify, type RouteOptions, type RouteShorthandOptions } from 'fastify'
import { IsOptional } from 'typebox'
import { ApiError } from '../platform/errors/api-error.ts'
import { passingCompilers } from './passing-compilers.ts'
import { type App, namedPath } from './route.ts'

const VIEWER_POLICY =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'"

// The bar at the top has the choice of the document.
const SINGLE_STYLE = '#swagger-ui .topbar { display: none }'
const CHOICE_STYLE = '#swagger-ui .topbar .link { display: none }'

/** The paths that only the stand-in has. They have an OpenAPI document of their own. */
export const CONTROL_PLANE = '/_souk/'
export const CONTROL_PLANE_DOCUMENT = `${CONTROL_PLANE}openapi.json`

export interface Document {
  info: object
  components?: object
  paths: Record<string, object>
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The OpenAPI document of the routes. Only where the documentation is served. */
    openApiDocument(): Promise<Document>
  }
}

/**
 * The generator is a plugin that observes how routes are added, so this adds them once more, to an app that serves nothing.
 * The app that serves them starts without the plugin, which is larger than the framework.
 */
export async function generateDocument(routes: readonly RouteOptions[], version: string): Promise<Document> {
  const { default: swagger } = await import('@fastify/swagger')
  const generator = fastify({ exposeHeadRoutes: false, schemaController: passingCompilers })
  await generator.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Souk',
        version,
        description: "The marketplace's side of a seller integration.",
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      externalDocs: { url: '/docs/', description: 'Documentation' },
      components: {
        securitySchemes: {
          accessToken: { type: 'apiKey', in: 'header', name: 'x-amz-access-token' },
          operatorKey: { type: 'http', scheme: 'bearer' },
        },
      },
    },
    transform: ({ schema, url, route }) => ({
      url: namedPath(url, schema),
      schema: {
        ...schema,
        ...(route.config?.responses && { response: route.config.responses }),
        security: security(route.config?.access),
        ...(route.config?.rate && { 'x-rate-limit': route.config.rate }),
        ...(route.bodyLimit !== undefined && { 'x-body-limit-bytes': route.bodyLimit }),
      },
    }),
  })
  for (const { method, url, schema = {}, config = {}, bodyLimit } of routes) {
    if (schema.hide) continue
    const limit = bodyLimit !== undefined && { bodyLimit }
    generator.route({ method, url, schema, config, ...limit, handler: async () => {} })
  }
  await generator.ready()
  return withOptionalBodies(generator.swagger() as unknown as Document, routes)
}

interface Operation {
  operationId?: string
  requestBody?: { required?: boolean }
}

/** The generator takes every body for required. */
function withOptionalBodies(document: Document, routes: readonly RouteOptions[]): Document {
  const optional = new Set(
    routes
      // A body of bytes is checked by its handler.
      .filter(({ schema, config }) => IsOptional(schema?.body) && !config?.bodyAsBytes)
      .map(({ schema }) => schema?.operationId),
  )
  for (const path of Object.values(document.paths)) {
    for (const { operationId, requestBody } of Object.values(path) as Operation[]) {
      if (requestBody && optional.has(operationId)) requestBody.required = false
    }
  }
  return document
}

/** The operations of the control plane. */
export async function controlPlaneDocument(app: Pick<App, 'openApiDocument'>): Promise<Document> {
  const { info, components: _components, ...document } = await app.openApiDocument()
  return {
    ...document,
    info: {
      ...info,
      title: 'Souk control plane',
      description: 'Time, state and behavior of the stand-in. `souk serve` does not have these operations.',
    },
    paths: pathsOf(document, (path) => path.startsWith(CONTROL_PLANE)),
  }
}

const withoutControlPlane = (document: Document): Document => ({
  ...document,
  paths: pathsOf(document, (path) => !path.startsWith(CONTROL_PLANE)),
})

const pathsOf = ({ paths }: Pick<Document, 'paths'>, isIncluded: (path: string) => boolean) =>
  Object.fromEntries(Object.entries(paths).filter(([path]) => isIncluded(path)))

const MAX_QUOTED_URL_LENGTH = 100
// They belong to the connection, which is another one.
const CONNECTION_HEADERS = ['connection', 'date', 'keep-alive', 'transfer-encoding']

export interface ViewerOptions {
  hasControlPlane: boolean
  /** The options of its routes. */
  page: RouteShorthandOptions
}

/**
 * Serves the document at `<path>/json`, and a page to send requests from, also those of the control plane. An app of its own
 * does, which is built for the first request: most marketplaces of a process are tests that no person looks at.
 */
export function addOpenApiViewer(app: App, path: string, options: ViewerOptions): void {
  let viewer: Promise<FastifyInstance> | undefined
  for (const url of [path, `${path}/*`]) {
    app.get(url, options.page, async ({ raw, headers }, reply) => {
      viewer ??= buildViewer(app, path, options)
      const response = await (await viewer).inject({ method: 'GET', url: raw.url ?? path, headers })
      if (response.statusCode === 404) throw noPage(raw.url ?? path)
      const own = Object.entries(response.headers).filter(([name]) => !CONNECTION_HEADERS.includes(name))
      return reply.code(response.statusCode).headers(Object.fromEntries(own)).send(response.rawPayload)
    })
  }
  app.addHook('onClose', async () => (await viewer)?.close())
}

const noPage = (url: string) =>
  new ApiError('NotFound', `There is no page ${url.slice(0, MAX_QUOTED_URL_LENGTH)}.`, 'See /docs/.')

async function buildViewer(app: App, path: string, { hasControlPlane }: ViewerOptions): Promise<FastifyInstance> {
  const { default: swagger } = await import('@fastify/swagger')
  const { default: swaggerUi } = await import('@fastify/swagger-ui')
  const viewer = fastify({ schemaController: passingCompilers })
  await viewer.register(swagger, {
    mode: 'static',
    specification: { document: withoutControlPlane(await app.openApiDocument()) as never },
  })
  await viewer.register(swaggerUi, {
    routePrefix: path,
    // Hidden by the style sheet below; the default is read from a file that a build lacks.
    logo: { type: 'image/svg+xml', content: '' },
    staticCSP: VIEWER_POLICY,
    theme: { title: 'Souk', css: [{ filename: 'souk.css', content: hasControlPlane ? CHOICE_STYLE : SINGLE_STYLE }] },
    uiConfig: {
      deepLinking: true,
      persistAuthorization: true,
      displayRequestDuration: true,
      showExtensions: true,
      // No third party: the page's own validator would send the document's URL to one.
      validatorUrl: null,
      ...(hasControlPlane && {
        urls: [
          { name: 'Selling Partner API', url: `${path}/json` },
          { name: 'Control plane', url: CONTROL_PLANE_DOCUMENT },
        ],
      }),
    },
  })
  return viewer
}

function security(access: unknown) {
  if (access === 'public' || access === undefined) return []
  return access === 'operator' ? [{ operatorKey: [] }] : [{ accessToken: [] }]
}
