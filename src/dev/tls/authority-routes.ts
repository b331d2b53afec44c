import { Type } from 'typebox'
import type { Routes } from '../../http/route.ts'

/** The certificate that clients must trust. The private key has no route. */
export function createAuthorityRoutes(loadCertificate: () => Promise<string>): Routes {
  return (app) => {
    app.get(
      '/_souk/ca.pem',
      {
        config: { access: 'public' },
        schema: {
          operationId: 'getLocalAuthority',
          summary: 'Get the certificate of the local certificate authority',
          description: 'Clients that trust it can call Souk at https:// and through the proxy.',
          tags: ['stand-in'],
          response: {
            200: {
              description: 'The certificate',
              content: { 'application/x-pem-file': { schema: Type.String() } },
            },
          },
        },
      },
      async (_request, reply) => {
        reply.type('application/x-pem-file')
        return reply.send((await loadCertificate()) as never)
      },
    )
  }
}
