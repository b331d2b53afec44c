import type { Entry } from './entry.ts'
import { LoggedOperations } from './logged-operations.ts'
import { LongBodies } from './long-bodies.ts'

const MAX_TOTAL_BYTES = 64 * 1024 * 1024
const MAX_BODY_BYTES = 64 * 1024

/** Requests of one operation that the log no longer has. */
export interface Dropped {
  count: number
  /** The latest time of the marketplace at which one of them started. */
  lastTime: number
  /** The number of the last of them that started. */
  lastNumber: number
}

type Listener = (entry: Entry) => void

/** The last requests, in the order in which they started. */
export class RequestLog {
  readonly capacity: number
  /** Longer bodies are cut. */
  readonly maxBodyBytes: number
  readonly longBodies: LongBodies
  readonly operations = new LoggedOperations()
  readonly #maxBytes: number
  /** Those before `#first` were dropped, and their places are removed together. */
  #entries: (Entry | undefined)[] = []
  #first = 0
  #lastNumber = 0
  #bytes = 0
  #cleared = 0
  #dropped = new Map<string, Dropped>()
  readonly #listeners = new Set<Listener>()

  constructor(capacity: number, { maxBytes = MAX_TOTAL_BYTES, maxBodyBytes = MAX_BODY_BYTES } = {}) {
    this.capacity = capacity
    this.maxBodyBytes = maxBodyBytes
    this.longBodies = new LongBodies(maxBytes)
    this.#maxBytes = maxBytes
  }

  /** By operation. */
  get dropped(): ReadonlyMap<string, Dropped> {
    return this.#dropped
  }

  get droppedCount(): number {
    return [...this.#dropped.values()].reduce((sum, { count }) => sum + count, 0)
  }

  /** How many requests clearing has removed, ever, those included that had been dropped before. */
  get cleared(): number {
    return this.#cleared
  }

  /** Whether a reader waits for requests. */
  get isWatched(): boolean {
    return this.#listeners.size > 0
  }

  add(entry: Entry): void {
    entry.number = ++this.#lastNumber
    this.#entries.push(entry)
    if (this.#entries.length - this.#first > this.capacity) this.#drop()
  }

  /** To be called once for each entry, when nothing of it changes any more. */
  finished(entry: Entry): void {
    this.#count(entry)
    for (const listen of this.#listeners) listen(entry)
  }

  /** Newest first. Entries of clients that have left are complete. */
  list(): Entry[] {
    const entries = this.#entries.slice(this.#first).reverse() as Entry[]
    for (const entry of entries) this.#settle(entry)
    return entries
  }

  find(id: string): Entry | undefined {
    const entry = this.#entries.findLast((one) => one?.id === id)
    if (entry) this.#settle(entry)
    return entry && !entry.isDropped ? entry : undefined
  }

  clear({ keepsRunning = false } = {}): void {
    const isKept = (entry: Entry) => keepsRunning && entry.outcome === 'running' && !entry.isDropped
    const kept = this.list().filter(isKept).reverse()
    for (const entry of this.#entries) if (entry) entry.isDropped = !isKept(entry)
    this.#cleared += this.#entries.length - this.#first - kept.length + this.droppedCount
    this.#entries = kept
    this.#first = 0
    this.#bytes = 0
    this.#dropped = new Map()
  }

  /** Calls back with each request that is over. Returns a function that ends it. */
  watch(listen: Listener): () => void {
    this.#listeners.add(listen)
    return () => void this.#listeners.delete(listen)
  }

  #settle(entry: Entry): void {
    if (entry.settle()) this.#count(entry)
  }

  #count(entry: Entry): void {
    if (entry.isDropped) return
    entry.countedBytes = entry.bytes
    this.#bytes += entry.countedBytes
    while (this.#bytes > this.#maxBytes && this.#first < this.#entries.length) this.#drop()
  }

  #drop(): void {
    const entry = this.#entries[this.#first] as Entry
    // Its bodies would stay in memory.
    this.#entries[this.#first++] = undefined
    entry.isDropped = true
    this.#bytes -= entry.countedBytes
    const known = this.#dropped.get(entry.operation)
    if (known) {
      known.count++
      known.lastNumber = entry.number
      if (entry.time > known.lastTime) known.lastTime = entry.time
    } else this.#dropped.set(entry.operation, { count: 1, lastTime: entry.time, lastNumber: entry.number })
    // Removing each from a long list would move all others.
    if (this.#first * 2 > this.#entries.length) {
      this.#entries = this.#entries.slice(this.#first)
      this.#first = 0
    }
  }
}
