const BLOCK_CHARACTERS = 32 * 1024
const LONGEST_WAIT_MILLISECONDS = 100

/**
 * Standard output for many small lines. They leave in blocks, and none waits longer than a tenth of a second: writing
 * each line by itself would cost more than many a request, and so does the queue of pino's own destination.
 */
export class BlockOutput {
  #pending = ''
  #timer: NodeJS.Timeout | undefined

  constructor() {
    process.once('exit', () => this.flush())
  }

  write(line: string): void {
    this.#pending += line
    if (this.#pending.length >= BLOCK_CHARACTERS) this.flush()
    else this.#timer ??= setTimeout(() => this.flush(), LONGEST_WAIT_MILLISECONDS).unref()
  }

  flush(done?: () => void): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const block = this.#pending
    this.#pending = ''
    if (block !== '') process.stdout.write(block)
    done?.()
  }
}
