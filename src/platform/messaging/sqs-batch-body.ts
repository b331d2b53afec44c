import { BoundedMap } from '../bounded-map.ts'
import type { Message } from './port.ts'

// Escaping a shorter text costs no more than looking for it.
const MIN_LONG_TEXT = 512
// Of notifications that the destinations of a relay are sent at about the same time. At most 16 MB.
const MAX_CACHED_TEXTS = 500
const MAX_CACHED_LENGTH = 16 * 1024

/**
 * Serializes SendMessageBatch requests. A body is JSON within JSON, and escaping it takes longer than anything else that
 * happens to a message. Notifications of one change to many sellers differ at their start, so the long rest is escaped once.
 */
export class SqsBatchBody {
  readonly #escaped = new BoundedMap<string, Buffer>(MAX_CACHED_TEXTS)

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
        chunks.push(Buffer.from(text), this.#escape(part))
        text = ''
      }
      text += '"}'
    }
    chunks.push(Buffer.from(`${text}]}`))
    return Buffer.concat(chunks)
  }

  #escape(text: string): Buffer {
    let escaped = this.#escaped.get(text)
    if (!escaped) {
      escaped = Buffer.from(escapeText(text))
      if (text.length <= MAX_CACHED_LENGTH) this.#escaped.set(text, escaped)
    }
    return escaped
  }
}

/** A pair of surrogates that is split between two texts becomes two escapes, which mean the same. */
const escapeText = (text: string) => JSON.stringify(text).slice(1, -1)
