import cluster from 'node:cluster'
import type { MetricsGroup } from '../../http/metrics-page.ts'
import type { MetricValues } from '../../http/register-metrics.ts'
import { withDeadline } from '../../platform/deadline.ts'
import { ApiError } from '../../platform/errors/api-error.ts'
import { type FromMember, GATHER_WITHIN_MILLISECONDS, type ToMember } from './messages.ts'

/** Longer than the first process waits for the others. */
const READ_WITHIN_MILLISECONDS = GATHER_WITHIN_MILLISECONDS + 1_000

/** A process that serves the same port as others, and what the first process wants of it. */
export class GroupMember implements MetricsGroup {
  /** Resolves when the first process stops the group. If that process is gone, Node.js ends this one. */
  readonly stopRequested: Promise<void>
  readonly #waiting = new Map<number, (values: MetricValues[]) => void>()
  #readOwn: () => Promise<MetricValues> = async () => []
  #lastId = 0

  constructor() {
    this.stopRequested = new Promise((resolve) => {
      process.on('message', (message: ToMember) => {
        if (message.kind === 'stop') resolve()
        else if (message.kind === 'readMetrics') void this.#sendOwn(message.id)
        else this.#waiting.get(message.id)?.(message.values)
      })
    })
    send({ kind: 'joined' })
  }

  /** To be called last: the channel to the first process keeps this one alive. */
  leave(): void {
    cluster.worker?.disconnect()
  }

  join(readOwn: () => Promise<MetricValues>): void {
    this.#readOwn = readOwn
  }

  async readAll(): Promise<readonly MetricValues[]> {
    const id = ++this.#lastId
    try {
      return await withDeadline(READ_WITHIN_MILLISECONDS, () => this.#askForAll(id))
    } catch {
      // Not those of this process alone: counters would go down, which Prometheus takes for a restart of all.
      throw new ApiError('ServiceUnavailable', 'The metrics of the other processes cannot be read now.', '', {
        retryAfterSeconds: 5,
      })
    } finally {
      this.#waiting.delete(id)
    }
  }

  #askForAll(id: number): Promise<MetricValues[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, resolve)
      send({ kind: 'readMetricsOfAll', id }, reject)
    })
  }

  async #sendOwn(id: number): Promise<void> {
    send({ kind: 'metrics', id, values: await this.#readOwn() })
  }
}

function send(message: FromMember, onError: (error: Error) => void = () => {}): void {
  if (process.connected) process.send?.(message, undefined, undefined, (error) => error && onError(error))
  else onError(new Error('The first process is gone'))
}
