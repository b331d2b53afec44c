import { ActError, type ActErrorDetail } from '../acts/act-error.ts'
import type { Verification, Verify } from '../dev/requests/verify/public.ts'
import { VerificationError } from '../dev/requests/verify/verification-error.ts'
import type { SendJson } from './life-client.ts'

const NOT_VERIFIED = 406

/** `souk.verify`: the request of `/_souk/verify`. */
export function createVerifyClient(send: SendJson): Verify {
  return async (expectations, { since, timeoutSeconds } = {}) => {
    const response = await send('POST', '/_souk/verify', {
      expectations: [expectations].flat(),
      ...(since !== undefined && { since: since instanceof Date ? since.toISOString() : since }),
      ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    })
    const result = response.json()
    if (response.statusCode === 200) return result as Verification
    if (response.statusCode === NOT_VERIFIED) throw new VerificationError(result as Verification)
    throw new ActError(response.statusCode, (result as { errors: ActErrorDetail[] }).errors)
  }
}
