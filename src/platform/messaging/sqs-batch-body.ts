import { BoundedMap } from '../bounded-map.ts'
import type { Message } from './port.ts'

// Escaping a shorter text costs no more than looking for it.
const MIN_LONG_TEXT = 512
/** What is before the common end of two texts, such as the seller, has at most this length. */
const MIN_START = 128
const END_UNIT = 64
// Of notifications that the destinations of a relay are sent at about the same time. At most 16 MB.
const MAX_CACHED_ENDS = 500
const MAX_CACHED_LENGTH = 16 * 1024

/**
 * Serializes SendMessageBatch requests. A body is JSON within JSON, and escaping it takes longer than anything else that
 * happens to a message. Notifications of one change to many sellers differ at their start, so the end is escaped once.
 */
export class SqsBatchBody {
  readonly #ends = new BoundedMap<string, Buffer>(MAX_CACHED_ENDS)

  serialize(queueUrl: string, messages: readonly Message[]): Buffer {
    const chunks: Buffer[] = []
    let text = `{"QueueUrl":${JSON.stringify(queueUrl)},"Entries":[`
    let separator = ''
    for (const { id, body, bodyParts = [body] } of messages) {
      text += `${separator}{"Id":${JSON.stringify(id)},"MessageBody":"`
      separator = ','
      for (const part of bodyParts) {
        if (part.length < MIN_LONG_TEXT) {
          text += escapeText(part)
          continue
        }
        const start = part.length - endLengthOf(part)
        chunks.push(Buffer.from(text + escapeText(part.slice(0, start))), this.#escapedEnd(part.slice(start)))
        text = ''
      }
      text += '"}'
    }
    chunks.push(Buffer.from(`${text}]}`))
    return Buffer.concat(chunks)
  }

  #escapedEnd(end: string): Buffer {
    let escaped = this.#ends.get(end)
    if (!escaped) {
      escaped = Buffer.from(escapeText(end))
      if (end.length <= MAX_CACHED_LENGTH) this.#ends.set(end, escaped)
    }
    return escaped
  }
}

/** Rounded, so that it is the same for texts whose starts differ a little in length. */
const endLengthOf = ({ length }: string) => Math.floor((length - MIN_START) / END_UNIT) * END_UNIT

/** A pair of surrogates that is split between two texts becomes two escapes, which mean the same. */
const escapeText = (text: string) => JSON.stringify(text).slice(1, -1)
