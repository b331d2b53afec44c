import type { JsonText } from '../../../platform/outbox/event-payload.ts'
import type { SharedText } from '../../../platform/shared-text.ts'
import type { NotificationTables } from '../tables.ts'
import type { DeliveryKey, PlannedDelivery } from './delivery.ts'
import { SharedEnds } from './shared-ends.ts'

// In characters, of which most take one byte.
const MAX_LENGTH = 16 * 1024 * 1024
/** Of the keys and the objects of a payload. */
const ENTRY_LENGTH = 500

/** Identifies a bundle. After the database was restored from a backup, its number can be given again. */
export type BundleKey = Pick<
  NotificationTables['delivery_bundles'],
  'application_id' | 'destination_id' | 'bundle_number' | 'due_at' | 'size'
>

export interface WrittenBundle {
  key: BundleKey
  deliveries: readonly PlannedDelivery[]
}

/** What a step has written: deliveries that are stored one by one, and bundles. */
export interface WrittenDeliveries {
  stored: readonly PlannedDelivery[]
  bundles: readonly WrittenBundle[]
}

/**
 * The payloads of deliveries that this relay has written and not yet sent, and whole bundles. To read them again would
 * cost the database and the relay more than everything else about a delivery. They are read if another relay has
 * written them, or if they did not fit: then those that were written first are dropped.
 */
export class RecentPayloads {
  readonly #kept = new Map<string, readonly PlannedDelivery[]>()
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
  keep({ stored, bundles }: WrittenDeliveries): void {
    for (const delivery of stored) this.#add(keyOf(delivery), [delivery])
    for (const { key, deliveries } of bundles) this.#add(keyOfBundle(key), deliveries)
    for (const oldest of this.#kept.keys()) {
      if (this.#length <= this.#maxLength) break
      this.#remove(oldest)
    }
  }

  /** Returns a payload and forgets it. */
  take(delivery: DeliveryKey): JsonText | undefined {
    return this.#remove(keyOf(delivery))?.[0]?.payload
  }

  /** Returns the deliveries of a bundle and forgets them. */
  takeBundle(bundle: BundleKey): readonly PlannedDelivery[] | undefined {
    return this.#remove(keyOfBundle(bundle))
  }

  #add(key: string, deliveries: readonly PlannedDelivery[]): void {
    this.#remove(key)
    this.#kept.set(key, deliveries)
    for (const { payload } of deliveries) {
      this.#length += ENTRY_LENGTH + payload.start.length
      if (!payload.end) continue
      const users = this.#users.get(payload.end) ?? 0
      this.#users.set(payload.end, users + 1)
      if (users === 0) this.#length += lengthOf(payload.end)
    }
  }

  #remove(key: string): readonly PlannedDelivery[] | undefined {
    const deliveries = this.#kept.get(key)
    if (!deliveries) return undefined
    this.#kept.delete(key)
    for (const { payload } of deliveries) {
      this.#length -= ENTRY_LENGTH + payload.start.length
      if (!payload.end) continue
      const users = (this.#users.get(payload.end) ?? 1) - 1
      if (users > 0) this.#users.set(payload.end, users)
      else {
        this.#users.delete(payload.end)
        this.#length -= lengthOf(payload.end)
      }
    }
    return deliveries
  }
}

/** As it is, and escaped. */
const lengthOf = (end: SharedText) => 2 * end.length

const keyOf = ({ applicationId, destinationId, deliveryId }: DeliveryKey) =>
  `${deliveryId} ${applicationId} ${destinationId}`

const keyOfBundle = (bundle: BundleKey) =>
  `${bundle.bundle_number} ${bundle.due_at} ${bundle.size} ${bundle.application_id} ${bundle.destination_id}`
