const GROUP_MILLISECONDS = 100
const SECOND_MILLISECONDS = 1_000

/** Receives what passes, oldest first, and how many were skipped before it. */
type Receive<Item> = (items: readonly Item[], skipped: number) => void

/**
 * Lets so many items pass in each second of real time. The first one after a rest passes at once. Those that follow pass
 * in groups, and of each group the newest: a watcher then sees what happens now, however much happens.
 */
export class Pace<Item> {
  readonly #receive: Receive<Item>
  readonly #maxInGroup: number
  readonly #groupMilliseconds: number
  #timer: NodeJS.Timeout | undefined
  #passed = 0
  #skipped = 0
  /** A ring of the newest. */
  #waiting: Item[] = []
  #oldest = 0

  constructor(maxPerSecond: number, receive: Receive<Item>) {
    this.#receive = receive
    this.#groupMilliseconds = Math.max(GROUP_MILLISECONDS, SECOND_MILLISECONDS / maxPerSecond)
    this.#maxInGroup = Math.max(1, Math.floor((maxPerSecond * GROUP_MILLISECONDS) / SECOND_MILLISECONDS))
  }

  add(item: Item): void {
    if (this.#timer === undefined) {
      this.#passed = 1
      this.#wait()
      this.#receive([item], 0)
      return
    }
    const room = this.#maxInGroup - this.#passed
    if (this.#waiting.length < room) {
      this.#waiting.push(item)
      return
    }
    this.#skipped++
    if (room === 0) return
    this.#waiting[this.#oldest] = item
    this.#oldest = (this.#oldest + 1) % room
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#waiting = []
  }

  #wait(): void {
    this.#timer = setTimeout(() => this.#endGroup(), this.#groupMilliseconds).unref()
  }

  #endGroup(): void {
    const [waiting, oldest, skipped] = [this.#waiting, this.#oldest, this.#skipped]
    this.#timer = undefined
    this.#waiting = []
    this.#oldest = 0
    this.#skipped = 0
    this.#passed = 0
    if (waiting.length === 0 && skipped === 0) return
    this.#wait()
    this.#receive([...waiting.slice(oldest), ...waiting.slice(0, oldest)], skipped)
  }
}
