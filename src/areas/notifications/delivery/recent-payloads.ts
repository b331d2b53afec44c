import type { JsonText } from '../../../platform/outbox/event-payload.ts'
import type { SharedText } from '../../../platform/shared-text.ts'
import type { DeliveryKey, PlannedDelivery } from './delivery.ts'
import { SharedEnds } from './shared-ends.ts'

// In characters, of which most take one byte.
const MAX_LENGTH = 16 * 1024 * 1024
/** Of the keys and the objects of a payload. */
const ENTRY_LENGTH = 500

/**
 * The payloads of deliveries that this relay has written and not yet sent. To read them again would cost the database and the
 * relay more than everything else about a delivery. They are read if another relay has written them, or if they did not
 * fit: then those that were written first are dropped.
 */
export class RecentPayloads {
  readonly #payloads = new Map<string, JsonText>()
  /** How many payloads have an end. */
  readonly #users = new Map<SharedText, number>()
  /** Of the payloads that are read. */
  readonly ends = new SharedEnds()
  readonly #maxLength: number
  #length = 0

  constructor(maxLength = MAX_LENGTH) {
    this.#maxLength = maxLength
  }

  /** Called after the commit: what was rolled back may be written with another payload. */
  keep(deliveries: readonly PlannedDelivery[]): void {
    for (const delivery of deliveries) {
      const key = keyOf(delivery)
      this.#remove(key)
      this.#add(key, delivery.payload)
    }
    for (const oldest of this.#payloads.keys()) {
      if (this.#length <= this.#maxLength) break
      this.#remove(oldest)
    }
  }

  /** Returns a payload and forgets it. */
  take(delivery: DeliveryKey): JsonText | undefined {
    return this.#remove(keyOf(delivery))
  }

  #add(key: string, payload: JsonText): void {
    this.#payloads.set(key, payload)
    this.#length += ENTRY_LENGTH + payload.start.length
    const { end } = payload
    if (!end) return
    const users = this.#users.get(end) ?? 0
    this.#users.set(end, users + 1)
    if (users === 0) this.#length += lengthOf(end)
  }

  #remove(key: string): JsonText | undefined {
    const payload = this.#payloads.get(key)
    if (!payload) return undefined
    this.#payloads.delete(key)
    this.#length -= ENTRY_LENGTH + payload.start.length
    const { end } = payload
    if (!end) return payload
    const users = (this.#users.get(end) ?? 1) - 1
    if (users > 0) this.#users.set(end, users)
    else {
      this.#users.delete(end)
      this.#length -= lengthOf(end)
    }
    return payload
  }
}

/** As it is, and escaped. */
const lengthOf = (end: SharedText) => 2 * end.length

const keyOf = ({ applicationId, destinationId, deliveryId }: DeliveryKey) =>
  `${deliveryId} ${applicationId} ${destinationId}`
