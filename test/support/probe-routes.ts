import { Type } from 'typebox'
import type { Routes } from '../../src/http/route.ts'

const schema = (operationId: string) => ({ operationId, tags: ['probe'], summary: 'For tests' })

/** Test-only routes with configurations that no operation has. */
export const probeRoutes: Routes = (app) => {
  const seller = { access: { seller: true } } as const
  const scope = 'sellingpartnerapi::notifications' as const

  app.get('/probe/seller', { config: seller, schema: schema('probeSeller') }, async () => ({}))
  app.get('/probe/grantless', { config: { access: { scope } }, schema: schema('probeGrantless') }, async () => ({}))
  app.get(
    '/probe/either',
    { config: { access: { seller: true, scope } }, schema: schema('probeEither') },
    async () => ({}),
  )
  app.get(
    '/probe/items/:sellerId/:sku',
    {
      config: seller,
      schema: { ...schema('probeItem'), params: Type.Object({ sellerId: Type.String(), sku: Type.String() }) },
    },
    async (request) => ({ sku: request.params.sku }),
  )
  app.get(
    '/probe/lists',
    {
      config: { access: 'public' },
      schema: {
        ...schema('probeLists'),
        querystring: Type.Object({
          names: Type.Optional(Type.Array(Type.String(), { maxItems: 4 })),
          pageSize: Type.Optional(Type.Integer({ minimum: 1 })),
        }),
      },
    },
    async (request) => request.query,
  )
  app.post(
    '/probe/signed',
    {
      config: { ...seller, signed: true },
      schema: { ...schema('probeSigned'), body: Type.Optional(Type.Object({ name: Type.Optional(Type.String()) })) },
    },
    async (request) => request.body ?? {},
  )
  app.get('/probe/signed', { config: { ...seller, signed: true }, schema: schema('probeSignedGet') }, async () => ({}))
  app.get(
    '/probe/limited',
    {
      config: { ...seller, rate: { perSecond: 0.5, burst: 2 } },
      schema: schema('probeLimited'),
    },
    async () => ({}),
  )
  app.delete('/probe/thing', { config: seller, schema: schema('probeDelete') }, async () => ({}))
  app.get('/probe/broken', { config: { access: 'public' }, schema: schema('probeBroken') }, async () => {
    throw new Error('secret detail')
  })
  app.get('/probe/reset', { config: { access: 'public' }, schema: schema('probeReset') }, async () => {
    throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' })
  })
}
