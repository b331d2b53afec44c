const BLOCK_BYTES = 32 * 1024
const MAX_WAIT_MILLISECONDS = 100
const MAX_BYTES_PER_CHARACTER = 3

/**
 * Standard output for many small lines. They leave in blocks, and none waits longer than a tenth of a second: writing
 * each line by itself would cost more than many a request, and so does the queue of pino's own destination.
 */
export class BlockOutput {
  #block = Buffer.allocUnsafe(BLOCK_BYTES)
  #used = 0
  #timer: NodeJS.Timeout | undefined

  constructor() {
    process.once('exit', () => this.flush())
  }

  write(line: string): void {
    const maxBytes = line.length * MAX_BYTES_PER_CHARACTER
    if (this.#used + maxBytes > BLOCK_BYTES) this.flush()
    if (maxBytes > BLOCK_BYTES) {
      process.stdout.write(line)
      return
    }
    // Made bytes at once: text that grows line by line is put in order again when it leaves.
    this.#used += this.#block.write(line, this.#used)
    this.#timer ??= setTimeout(() => this.flush(), MAX_WAIT_MILLISECONDS).unref()
  }

  flush(done?: () => void): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#used > 0) {
      process.stdout.write(this.#block.subarray(0, this.#used))
      // What was written may still be on its way.
      this.#block = Buffer.allocUnsafe(BLOCK_BYTES)
      this.#used = 0
    }
    done?.()
  }
}
