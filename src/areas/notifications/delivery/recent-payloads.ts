import type { JsonText } from '../../../platform/outbox/event-payload.ts'
import type { DeliveryKey, PlannedDelivery } from './delivery.ts'

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
  readonly #ends = new Map<string, number>()
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
    const users = this.#ends.get(payload.end) ?? 0
    this.#ends.set(payload.end, users + 1)
    this.#payloads.set(key, payload)
    this.#length += ENTRY_LENGTH + payload.start.length + (users === 0 ? payload.end.length : 0)
  }

  #remove(key: string): JsonText | undefined {
    const payload = this.#payloads.get(key)
    if (!payload) return undefined
    const users = (this.#ends.get(payload.end) ?? 1) - 1
    if (users === 0) this.#ends.delete(payload.end)
    else this.#ends.set(payload.end, users)
    this.#payloads.delete(key)
    this.#length -= ENTRY_LENGTH + payload.start.length + (users === 0 ? payload.end.length : 0)
    return payload
  }
}

const keyOf = ({ applicationId, destinationId, deliveryId }: DeliveryKey) =>
  `${deliveryId} ${applicationId} ${destinationId}`
