import type { Sealer } from '../../../platform/auth/sealer.ts'
import { type JsonText, joinText } from '../../../platform/outbox/event-payload.ts'
import { parseStoredObject } from '../../../platform/stored-json.ts'

// No payload of a notification has this key.
const SEALED = '{"sealed":"'

/** Encrypts the payload of a delivery that contains a secret: rows are backed up, and operators can list them. */
export const sealPayload = (sealer: Sealer, deliveryId: string, payload: object): string =>
  JSON.stringify({ sealed: sealer.seal(deliveryId, JSON.stringify(payload)) })

/** Returns the payload as the receiver gets it; undefined if it is damaged, or its secret is no longer configured. */
export function openPayload(sealer: Sealer, deliveryId: string, payload: JsonText): JsonText | undefined {
  if (!payload.start.startsWith(SEALED)) return payload
  const { sealed } = (parseStoredObject(joinText(payload)) ?? {}) as { sealed?: unknown }
  const opened = typeof sealed === 'string' ? sealer.open(deliveryId, sealed) : undefined
  return opened === undefined ? undefined : { start: opened }
}
