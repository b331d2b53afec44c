import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { App } from './route.ts'

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
    transform: ({ schema, url, route }) => ({ url, schema: { ...schema, security: security(route.config?.access) } }),
  })
  await app.register(async (docs) => {
    docs.addHook('onRoute', (route) => {
      route.config = { ...route.config, access: 'public' }
      route.schema = { ...route.schema, hide: true }
    })
    await docs.register(swaggerUi, {
      routePrefix: '/docs',
      staticCSP: true,
      theme: { title: 'Souk' },
      uiConfig: { persistAuthorization: true, displayRequestDuration: true },
    })
  })
}

function security(access: unknown) {
  if (access === 'public' || access === undefined) return []
  return access === 'operator' ? [{ operatorKey: [] }] : [{ accessToken: [] }]
}
