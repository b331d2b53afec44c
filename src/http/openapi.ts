import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { type FastifyInstance, fastify } from 'fastify'
import { ApiError } from '../platform/errors/api-error.ts'
import { type App, namedPath } from './route.ts'

const VIEWER_POLICY =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'"

// The bar at the top has the choice of the document.
const SINGLE_STYLE = '#swagger-ui .topbar { display: none }'
const CHOICE_STYLE = '#swagger-ui .topbar .link { display: none }'

/** The paths that only the stand-in has. They have an OpenAPI document of their own. */
export const CONTROL_PLANE = '/_souk/'
export const CONTROL_PLANE_DOCUMENT = `${CONTROL_PLANE}openapi.json`

interface Document {
  info: object
  components?: object
  paths: Record<string, object>
}

/** Generates the OpenAPI document from the routes that are added after it, when a client asks for it first. */
export async function addOpenApiDocument(app: App, version: string): Promise<void> {
  await app.register(swagger, {
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
}

/** The operations of the control plane. */
export function controlPlaneDocument(app: Pick<FastifyInstance, 'swagger'>): Document {
  const { info, components: _components, ...document } = app.swagger() as unknown as Document
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

/**
 * Serves the document at `<path>/json`, and a page to send requests from, also those of the control plane. An app of its own
 * does, which is built for the first request: most marketplaces of a process are tests that no person looks at.
 */
export function addOpenApiViewer(app: FastifyInstance, path: string, options: { hasControlPlane: boolean }): void {
  let viewer: Promise<FastifyInstance> | undefined
  for (const url of [path, `${path}/*`]) {
    app.get(url, async ({ raw, headers }, reply) => {
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

async function buildViewer(
  app: FastifyInstance,
  path: string,
  { hasControlPlane }: { hasControlPlane: boolean },
): Promise<FastifyInstance> {
  const viewer = fastify()
  await viewer.register(swagger, {
    mode: 'static',
    specification: { document: withoutControlPlane(app.swagger() as unknown as Document) as never },
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
