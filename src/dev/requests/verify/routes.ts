import { type App, errorResponses, type Routes } from '../../../http/route.ts'
import { Verification, VerifyBody } from './schema.ts'
import type { Verifier } from './verifier.ts'

/** As MockServer has it: a program that forgets to read the result still notices that it is a bad one. */
const NOT_VERIFIED = 406

export function createVerifyRoutes(verifier: Verifier): Routes {
  return (app: App) => {
    app.addHook('preClose', async () => verifier.stop())
    app.post(
      '/_souk/verify',
      {
        // It may wait for requests, which a reset would wait for.
        config: { access: 'public', ungated: true, listsViolations: true },
        schema: {
          operationId: 'verifyRequests',
          summary: 'Verify which requests came',
          tags: ['stand-in'],
          body: VerifyBody,
          response: { 200: Verification, [NOT_VERIFIED]: Verification, ...errorResponses },
        },
      },
      async ({ body }, reply) => {
        const verification = await verifier.verify(body)
        return reply.code(verification.passed ? 200 : NOT_VERIFIED).send(verification)
      },
    )
  }
}
