import type { Message, RequestLimit } from '../../../platform/messaging/port.ts'

/**
 * Assigns messages to lanes that can be sent concurrently. Messages of a group stay in one lane and in order, so
 * sending each lane from its start keeps the order of each group.
 */
export function assignLanes<Item>(
  items: readonly Item[],
  groupOf: (item: Item) => string,
  mostLanes: number,
): Item[][] {
  const lanes: Item[][] = []
  const laneOf = new Map<string, Item[]>()
  for (const item of items) {
    const group = groupOf(item)
    let lane = laneOf.get(group)
    if (!lane) {
      lane = lanes.length < mostLanes ? [] : shortest(lanes)
      if (lane.length === 0) lanes.push(lane)
      laneOf.set(group, lane)
    }
    lane.push(item)
  }
  return lanes
}

const shortest = <Item>(lanes: readonly Item[][]): Item[] =>
  lanes.reduce((best, lane) => (lane.length < best.length ? lane : best))

/** Splits messages into requests of the maximum size. A message that is too long has its own request. */
export function* splitIntoBatches(messages: Iterable<Message>, limit: RequestLimit): Generator<Message[]> {
  let batch: Message[] = []
  let bytes = 0
  for (const message of messages) {
    const length = bytesOf(message)
    if (batch.length === limit.messages || (batch.length > 0 && bytes + length > limit.bytes)) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(message)
    bytes += length
  }
  if (batch.length > 0) yield batch
}

/** Of the parts, because the body itself may not exist as one string yet. */
function bytesOf(message: Message): number {
  let bytes = 0
  for (const part of message.bodyParts ?? [message.body]) {
    bytes += typeof part === 'string' ? Buffer.byteLength(part) : part.mostBytes
  }
  return bytes
}
