import { readFile } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { App } from './route.ts'

const PAGE_POLICY = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'"

/** The page that lists the operations of the public API, served or not. */
export const COVERAGE_PATH = '/docs/coverage.md'

/** The OpenAPI document, made from the routes, and a page that shows it. To be added before any route. */
export async function addDocs(app: App, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Souk',
        version,
        description: "The marketplace's side of a seller integration.",
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      components: {
        securitySchemes: {
          accessToken: { type: 'apiKey', in: 'header', name: 'x-amz-access-token' },
          operatorKey: { type: 'http', scheme: 'bearer' },
        },
      },
    },
    transform: ({ schema, url, route }) => ({
      // The rest of a path has no name in the router, and needs one in the document.
      url: url.replace('*', ':key'),
      schema: {
        ...schema,
        security: security(route.config?.access),
        ...(route.config?.rate && { 'x-rate-limit': route.config.rate }),
        ...(route.bodyLimit !== undefined && { 'x-body-limit-bytes': route.bodyLimit }),
      },
    }),
  })
  await app.register(async (docs) => {
    docs.addHook('onRoute', (route) => {
      route.config = { ...route.config, access: 'public' }
      route.schema = { ...route.schema, hide: true }
    })
    docs.get('/', { schema: {} }, async (_request, reply) => reply.redirect('/docs'))
    docs.get(COVERAGE_PATH, { schema: {} }, async (_request, reply) => {
      reply.type('text/markdown; charset=utf-8')
      return readFile(packageFile(COVERAGE_PATH))
    })
    await docs.register(swaggerUi, {
      routePrefix: '/docs',
      // Hidden by the style sheet below; the default is read from a file that a build lacks.
      logo: { type: 'image/svg+xml', content: '' },
      staticCSP: PAGE_POLICY,
      theme: { title: 'Souk', css: [{ filename: 'souk.css', content: '.topbar { display: none }' }] },
      // No third party: the page's own validator would send the document's URL to one.
      uiConfig: { persistAuthorization: true, displayRequestDuration: true, showExtensions: true, validatorUrl: null },
    })
  })
}

/** Looked up, because this file has another depth after the build. */
const packageFile = (path: string) => join(dirname(findPackageJSON('.', import.meta.url) as string), path)

function security(access: unknown) {
  if (access === 'public' || access === undefined) return []
  return access === 'operator' ? [{ operatorKey: [] }] : [{ accessToken: [] }]
}
