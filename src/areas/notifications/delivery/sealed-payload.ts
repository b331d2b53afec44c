import type { Sealer } from '../../../platform/auth/sealer.ts'
import { type JsonText, joinText } from '../../../platform/outbox/event-payload.ts'

// No payload of a notification has this key.
const SEALED = '{"sealed":"'

/** Encrypts the payload of a delivery that contains a secret: rows are backed up, and operators can list them. */
export const sealPayload = (sealer: Sealer, deliveryId: string, payload: object): string =>
  JSON.stringify({ sealed: sealer.seal(deliveryId, JSON.stringify(payload)) })

/** Returns the payload as the receiver gets it; undefined if the secret that sealed it is no longer configured. */
export function openPayload(sealer: Sealer, deliveryId: string, payload: JsonText): JsonText | undefined {
  if (!payload.start.startsWith(SEALED)) return payload
  const { sealed } = JSON.parse(joinText(payload)) as { sealed: string }
  const opened = sealer.open(deliveryId, sealed)
  return opened === undefined ? undefined : { start: opened, end: '' }
}
