import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { type App, namedPath } from './route.ts'

const VIEWER_POLICY =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'"

/** Generates the OpenAPI document from the routes that are added after it. */
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
        security: security(route.config?.access),
        ...(route.config?.rate && { 'x-rate-limit': route.config.rate }),
        ...(route.bodyLimit !== undefined && { 'x-body-limit-bytes': route.bodyLimit }),
      },
    }),
  })
}

/** Serves the document at `<path>/json`, and a page to send requests from. */
export async function addOpenApiViewer(app: FastifyInstance, path: string): Promise<void> {
  await app.register(swaggerUi, {
    routePrefix: path,
    // Hidden by the style sheet below; the default is read from a file that a build lacks.
    logo: { type: 'image/svg+xml', content: '' },
    staticCSP: VIEWER_POLICY,
    theme: { title: 'Souk', css: [{ filename: 'souk.css', content: '#swagger-ui .topbar { display: none }' }] },
    uiConfig: {
      deepLinking: true,
      persistAuthorization: true,
      displayRequestDuration: true,
      showExtensions: true,
      // No third party: the page's own validator would send the document's URL to one.
      validatorUrl: null,
    },
  })
}

function security(access: unknown) {
  if (access === 'public' || access === undefined) return []
  return access === 'operator' ? [{ operatorKey: [] }] : [{ accessToken: [] }]
}
