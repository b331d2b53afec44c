import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { SharedText, toOwnMemory } from '../../../platform/shared-text.ts'
import type { DestinationKey } from '../destinations/destination-store.ts'
import type { NotificationTables } from '../tables.ts'
import type { PlannedDelivery } from './delivery.ts'

/** The deliveries of a step to one destination, as they are stored. */
export type Bundle = Omit<NotificationTables['delivery_bundles'], 'bundle_number'>

/** A bundle to write, and what is in it. */
export interface NewBundle {
  row: Bundle
  deliveries: readonly PlannedDelivery[]
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
export function bundleDeliveries(deliveries: readonly PlannedDelivery[]): NewBundle[] {
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
    const row = {
      application_id: applicationId,
      destination_id: destinationId,
      due_at: dueAt.toISOString(),
      size: some.length,
      deliveries: JSON.stringify(entries),
      payload_ends: ends.texts.length === 0 ? null : packed,
    }
    return { row, deliveries: some }
  })
}

const OPEN = Buffer.from('["')
// Not within a text, where a quote has a backslash.
const BETWEEN = Buffer.from('","')
const CLOSE = Buffer.from('"]')

/** As a list in JSON. */
const compress = (texts: readonly SharedText[]) =>
  zstdCompressSync(
    Buffer.concat([
      OPEN,
      ...texts.flatMap(({ escaped }, place) => (place === 0 ? [escaped] : [BETWEEN, escaped])),
      CLOSE,
    ]),
  )

export function readPayloadEnds(packed: Buffer): SharedText[] {
  const list = toOwnMemory(zstdDecompressSync(packed))
  const texts: SharedText[] = []
  for (let start = OPEN.length; start < list.length; ) {
    const next = list.indexOf(BETWEEN, start)
    const end = next === -1 ? list.length - CLOSE.length : next
    texts.push(SharedText.ofEscaped(list.subarray(start, end)))
    start = next === -1 ? list.length : next + BETWEEN.length
  }
  return texts
}

export const readBundle = (
  destination: DestinationKey,
  deliveries: string,
  ends: readonly SharedText[],
): PlannedDelivery[] =>
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
      payload: { start, end: end === null ? undefined : ends[end] },
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
    payload.end ? ends.placeOf(payload.end) : null,
  ]
}

/** A list of different texts. */
class Places {
  readonly #places = new Map<SharedText, number>()

  placeOf(text: SharedText): number {
    const known = this.#places.get(text)
    if (known !== undefined) return known
    this.#places.set(text, this.#places.size)
    return this.#places.size - 1
  }

  get texts(): SharedText[] {
    return [...this.#places.keys()]
  }
}
