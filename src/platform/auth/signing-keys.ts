import { createHmac } from 'node:crypto'

/**
 * The secret half of an application's SigV4 key, derived from its public half and the operator's master secret.
 * Verifying a signature needs the secret itself; deriving it means that none lies in the database.
 */
export function signingSecret(masterSecret: string, accessKeyId: string): string {
  return createHmac('sha256', masterSecret).update(accessKeyId).digest('base64url').slice(0, 40)
}
