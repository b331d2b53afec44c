import type { EventStream } from '../../http/event-stream.ts'
import { ApiError } from '../../platform/errors/api-error.ts'
import type { Entry } from './entry.ts'
import { Matcher, type RequestMatcher } from './matcher.ts'
import type { RequestDependencies } from './operations.ts'
import { Pace } from './pace.ts'
import { renderSummary } from './render.ts'
import type { RequestSummary, StreamQuery } from './schema.ts'

const MAX_STREAMS = 100

/** The readers of live requests. */
export class RequestStreams {
  readonly #dependencies: RequestDependencies
  readonly #streams = new Set<EventStream>()
  readonly #readers = new Set<() => void>()

  constructor(dependencies: RequestDependencies) {
    this.#dependencies = dependencies
  }

  /** Sends each request that matches when it is over. A reader that is too slow is cut off, and knows it. */
  open(stream: EventStream, { maxPerSecond, ...wanted }: StreamQuery): void {
    const { log, controlUrl } = this.#dependencies
    log.operations.requireKnown(wanted)
    const matcher = new Matcher(wanted)
    const send = (entry: Entry) => {
      if (stream.send('request', renderSummary(entry, controlUrl()), entry.id)) return
      unwatch()
      stream.endWith('dropped', { firstMissing: entry.id, reason: 'The reader is too slow.' })
    }
    const pace =
      maxPerSecond === undefined
        ? undefined
        : new Pace<Entry>(maxPerSecond, (entries, skipped) => {
            if (skipped > 0) stream.send('skipped', { count: skipped })
            entries.forEach(send)
          })
    const unwatch = log.watch((entry) => {
      if (!matcher.matches(entry)) return
      if (pace) pace.add(entry)
      else send(entry)
    })
    this.#streams.add(stream)
    void stream.closed.then(() => {
      unwatch()
      pace?.stop()
      this.#streams.delete(stream)
    })
  }

  /** The same for a reader in this process. `end` is called when the service stops. */
  watch(wanted: RequestMatcher, receive: (request: RequestSummary) => void, end: () => void): () => void {
    const { log, controlUrl } = this.#dependencies
    log.operations.requireKnown(wanted)
    const matcher = new Matcher(wanted)
    const unwatch = log.watch((entry) => {
      if (matcher.matches(entry)) receive(renderSummary(entry, controlUrl()))
    })
    this.#readers.add(end)
    return () => {
      unwatch()
      this.#readers.delete(end)
    }
  }

  requireRoom(): void {
    if (this.#streams.size < MAX_STREAMS) return
    throw new ApiError('InvalidInput', `There are ${MAX_STREAMS} streams of requests already.`, 'Close one first.')
  }

  stopAll(): void {
    for (const stream of this.#streams) stream.stop()
    for (const end of [...this.#readers]) end()
  }
}
