import { hash } from 'node:crypto'
import { BoundedMap } from '../../../platform/bounded-map.ts'
import { SharedText } from '../../../platform/shared-text.ts'
import { readPayloadEnds } from './bundle.ts'

// Of notifications that the destinations of a relay are sent at about the same time. At most 16 MB.
const MAX_TEXTS = 500
const MAX_TEXT_LENGTH = 16 * 1024
// In bytes, escaped.
const MAX_LENGTH_OF_LISTS = 8 * 1024 * 1024

/** The ends of payloads that a relay reads. Other destinations are sent the same ones soon. */
export class SharedEnds {
  readonly #texts = new BoundedMap<string, SharedText>(MAX_TEXTS)
  /** By the digest of the compressed list. */
  readonly #lists = new Map<string, readonly SharedText[]>()
  readonly #maxLength: number
  #length = 0

  constructor(maxLength = MAX_LENGTH_OF_LISTS) {
    this.#maxLength = maxLength
  }

  ofText(text: string): SharedText {
    const known = this.#texts.get(text)
    if (known) return known
    const shared = SharedText.ofText(text)
    if (text.length <= MAX_TEXT_LENGTH) this.#texts.set(text, shared)
    return shared
  }

  /** The payload ends of a bundle. Those of one step are the same in the bundles of all its destinations. */
  ofBundle(packed: Buffer): readonly SharedText[] {
    const digest = hash('sha256', packed, 'base64')
    const known = this.#lists.get(digest)
    if (known) return known
    const read = readPayloadEnds(packed)
    this.#lists.set(digest, read)
    this.#length += lengthOf(read)
    for (const [oldest, list] of this.#lists) {
      if (this.#length <= this.#maxLength) break
      this.#lists.delete(oldest)
      this.#length -= lengthOf(list)
    }
    return read
  }
}

const lengthOf = (texts: readonly SharedText[]) => texts.reduce((length, text) => length + text.length, 0)
