import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { DestinationKey } from '../destinations/destination-store.ts'
import type { NotificationTables } from '../tables.ts'
import type { PlannedDelivery } from './delivery.ts'

/** The deliveries of a step to one destination, as they are stored. */
export type Bundle = Omit<NotificationTables['delivery_bundles'], 'bundle_number'>
export type BundledDelivery = Omit<PlannedDelivery, 'payload'> & {
  payloadStart: string
  /** Its place in the payload ends of the bundle. Null if the start is all. */
  payloadEnd: number | null
}

type Entry = [
  deliveryId: string,
  eventId: string,
  sellerId: string,
  subscriptionId: string,
  notificationType: string,
  payloadVersion: string,
  eventTime: string,
  payloadStart: string,
  payloadEnd: number | null,
]

/**
 * Bundles deliveries by destination. The long ends that payloads have in common are stored once in each bundle, and
 * compressed once for all bundles with the same ones.
 */
export function bundleDeliveries(deliveries: readonly PlannedDelivery[]): Bundle[] {
  const byDestination = Map.groupBy(deliveries, ({ applicationId, destinationId }) =>
    JSON.stringify([applicationId, destinationId]),
  )
  const known = new Places()
  const compressed = new Map<string, Buffer>()
  return [...byDestination.values()].map((some) => {
    const ends = new Places()
    const entries = some.map((delivery) => toEntry(delivery, ends))
    const id = ends.texts.map((end) => known.placeOf(end)).join()
    const packed = compressed.get(id) ?? compress(ends.texts)
    compressed.set(id, packed)
    const [{ applicationId, destinationId, dueAt }] = some as [PlannedDelivery]
    return {
      application_id: applicationId,
      destination_id: destinationId,
      due_at: dueAt.toISOString(),
      size: some.length,
      deliveries: JSON.stringify(entries),
      payload_ends: ends.texts.length === 0 ? null : packed,
    }
  })
}

const compress = (texts: readonly string[]) => zstdCompressSync(JSON.stringify(texts))

export const readPayloadEnds = (packed: Buffer | null): string[] =>
  packed ? JSON.parse(zstdDecompressSync(packed).toString()) : []

export const readBundle = (destination: DestinationKey, deliveries: string): BundledDelivery[] =>
  (JSON.parse(deliveries) as Entry[]).map(
    ([deliveryId, eventId, sellerId, subscriptionId, notificationType, payloadVersion, time, start, end]) => ({
      ...destination,
      deliveryId,
      eventId,
      sellerId,
      subscriptionId,
      notificationType,
      payloadVersion,
      dueAt: new Date(time),
      eventTime: new Date(time),
      payloadStart: start,
      payloadEnd: end,
    }),
  )

function toEntry(delivery: PlannedDelivery, ends: Places): Entry {
  const { eventTime, payload } = delivery
  return [
    delivery.deliveryId,
    delivery.eventId,
    delivery.sellerId as string,
    delivery.subscriptionId as string,
    delivery.notificationType,
    delivery.payloadVersion,
    eventTime.toISOString(),
    payload.start,
    payload.end === '' ? null : ends.placeOf(payload.end),
  ]
}

/** A list of different texts. */
class Places {
  readonly #places = new Map<string, number>()

  placeOf(text: string): number {
    const known = this.#places.get(text)
    if (known !== undefined) return known
    this.#places.set(text, this.#places.size)
    return this.#places.size - 1
  }

  get texts(): string[] {
    return [...this.#places.keys()]
  }
}
