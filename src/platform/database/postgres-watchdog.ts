import type { Socket } from 'node:net'

// Time is counted in ticks, as the silence of the server is: after this process was blocked, one has passed.
const TICK_MILLISECONDS = 250
const QUIET_MILLISECONDS = 500
// Of a slow network: until a long statement has arrived, the server waits for it.
const BYTES_SENT_PER_MILLISECOND = 250

export interface Lateness {
  /** After how long without a byte of a response a connection is late. */
  milliseconds: number
  /** Called at each tick of a connection that is quiet. */
  onQuiet(): void
}

/** Watches a connection while something waits for a response. */
export class Watchdog {
  readonly #lateness: Lateness | undefined
  readonly #onTimeout: (milliseconds: number) => void
  #socket: Socket | undefined
  #timer: NodeJS.Timeout | undefined
  #waitedMilliseconds = 0
  #quietMilliseconds = 0
  #bytesRead = 0
  #bytesWritten = 0

  constructor(lateness: Lateness | undefined, onTimeout: (milliseconds: number) => void) {
    this.#lateness = lateness
    this.#onTimeout = onTimeout
  }

  /** Whether nothing of a response has arrived for a while. */
  get isQuiet(): boolean {
    return this.#quietMilliseconds >= QUIET_MILLISECONDS && this.#socket?.bytesRead === this.#bytesRead
  }

  /** Whether that has lasted for longer than it may. */
  get isLate(): boolean {
    if (!this.isQuiet || !this.#socket || !this.#lateness) return false
    const sending = (this.#socket.bytesWritten - this.#bytesWritten) / BYTES_SENT_PER_MILLISECOND
    return this.#quietMilliseconds + TICK_MILLISECONDS > this.#lateness.milliseconds + sending
  }

  start(socket: Socket, maxMilliseconds: number): void {
    this.#socket = socket
    this.#bytesWritten = socket.bytesWritten
    this.#timer = setInterval(() => this.#tick(socket, maxMilliseconds), TICK_MILLISECONDS)
    this.restart()
  }

  /** There was a response, and other statements wait for theirs. Some of their bytes may not have been sent yet. */
  restart(): void {
    this.#waitedMilliseconds = 0
    this.#quietMilliseconds = 0
    this.#bytesRead = this.#socket?.bytesRead ?? 0
    this.#timer?.refresh()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#quietMilliseconds = 0
  }

  #tick({ bytesRead }: Socket, maxMilliseconds: number): void {
    this.#waitedMilliseconds += TICK_MILLISECONDS
    this.#quietMilliseconds = bytesRead === this.#bytesRead ? this.#quietMilliseconds + TICK_MILLISECONDS : 0
    this.#bytesRead = bytesRead
    if (this.#waitedMilliseconds >= maxMilliseconds) this.#onTimeout(maxMilliseconds)
    else if (this.isQuiet) this.#lateness?.onQuiet()
  }
}
