import type { SignatureClaim, SignedRequest } from '../platform/auth/request-signature.ts'
import type { Clock } from '../platform/clock/port.ts'
import { pathOf } from './authentication.ts'
import type { App } from './route.ts'

export interface RequestSigning {
  clock: Clock
  /** What the secret half of a key may be, one for each version of the master secret. Empty if the key is not valid. */
  findSecretKeys(applicationId: string, accessKeyId: string): Promise<readonly string[]>
}

/** Verifies the AWS Signature Version 4 of requests to the routes that declare it. */
export async function addRequestSigning(app: App, { clock, findSecretKeys }: RequestSigning): Promise<void> {
  const signatures = await import('../platform/auth/request-signature.ts')
  app.addHook('preValidation', async (request) => {
    if (!request.routeOptions.config.signed || !request.caller || request.caller.isConsole) return
    const claim: SignatureClaim = signatures.parseSignature(request.headers, clock.now())
    const secretKeys = await findSecretKeys(request.caller.applicationId, claim.accessKeyId)
    if (secretKeys.length === 0) {
      const details = 'The request is signed with a key that does not belong to the application.'
      throw signatures.notSigned(details, { accessKeyId: claim.accessKeyId })
    }
    const signed: SignedRequest = {
      method: request.method,
      path: pathOf(request),
      query: parseQuery(request.url),
      headers: request.headers,
      body: request.rawBody ?? '',
    }
    await signatures.verifySignature(signed, claim, secretKeys)
  })
}

function parseQuery(url: string): Record<string, string | string[]> {
  // Names of parameters are chosen by callers, so nothing is inherited.
  const query: Record<string, string[]> = Object.create(null)
  const start = url.indexOf('?')
  if (start === -1) return query
  for (const [name, value] of new URLSearchParams(url.slice(start + 1))) {
    query[name] = [...(query[name] ?? []), value]
  }
  return query
}
