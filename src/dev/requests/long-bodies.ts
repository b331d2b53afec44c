const BLOCK_BYTES = 1024 * 1024
/** A body that does not fit into the rest of a block is written to the next one. */
const UNUSED_SHARE = 1 / 8

/** Where a long body is. */
export class LongBody {
  readonly start: number
  /** How much of it was kept. */
  readonly length: number

  constructor(start: number, length: number) {
    this.start = start
    this.length = length
  }
}

/**
 * The beginnings of long bodies, in memory that is written again and again. If each had memory of its own, freeing it would
 * take a third of the time of requests with long responses.
 */
export class LongBodies {
  readonly #blockCount: number
  readonly #blocks: Buffer[] = []
  /** How many bytes were ever written or left out at the end of a block. */
  #end = 0

  constructor(maxBytes: number) {
    this.#blockCount = Math.ceil((maxBytes * (1 + UNUSED_SHARE)) / BLOCK_BYTES) + 1
  }

  keep(body: string | Buffer, maxBytes: number): LongBody {
    const wanted = Math.min(maxBytes, BLOCK_BYTES)
    const left = BLOCK_BYTES - (this.#end % BLOCK_BYTES)
    if (left < wanted) this.#end += left
    const [block, at] = this.#placeOf(this.#end)
    // Of text, only whole characters.
    const length = typeof body === 'string' ? block.write(body, at, wanted) : body.copy(block, at, 0, wanted)
    const kept = new LongBody(this.#end, length)
    this.#end += length
    return kept
  }

  /** Returns a copy, or undefined if others were written in its place. */
  find({ start, length }: LongBody): Buffer | undefined {
    const firstBlock = Math.ceil(this.#end / BLOCK_BYTES) - this.#blockCount
    if (start < firstBlock * BLOCK_BYTES) return undefined
    const [block, at] = this.#placeOf(start)
    return Buffer.from(block.subarray(at, at + length))
  }

  #placeOf(position: number): [block: Buffer, at: number] {
    const index = Math.floor(position / BLOCK_BYTES) % this.#blockCount
    const block = this.#blocks[index] ?? Buffer.allocUnsafeSlow(BLOCK_BYTES)
    this.#blocks[index] = block
    return [block, position % BLOCK_BYTES]
  }
}
