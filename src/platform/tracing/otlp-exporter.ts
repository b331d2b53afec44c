import type { Logger } from '../logging/logger.ts'
import { Counter } from '../metrics/counter.ts'

export interface ExporterOptions {
  /** Where traces are posted. */
  url: string
  headers: Readonly<Record<string, string>>
  serviceName: string
  logger: Logger
}

const MAX_QUEUED = 2_048
const MAX_PER_REQUEST = 512
const EXPORT_EVERY_MILLISECONDS = 2_000
const EXPORT_WITHIN_MILLISECONDS = 10_000
const CLOSE_WITHIN_MILLISECONDS = 1_000

/**
 * Posts spans to a collector (OTLP over HTTP, in JSON), in the background and one request at a time. Spans that do not fit
 * into the queue, or whose request fails, are dropped: tracing must neither delay requests nor fill the memory.
 */
export class OtlpExporter {
  readonly metric = new Counter('souk_spans_total', 'Spans of traces, by result', {
    label: 'result',
    values: ['exported', 'dropped', 'failed'],
  })
  readonly #options: ExporterOptions
  readonly #queue: object[] = []
  readonly #timer: NodeJS.Timeout
  #exporting: Promise<void> | undefined
  #hasFailed = false

  constructor(options: ExporterOptions) {
    this.#options = options
    this.#timer = setInterval(() => void this.#export(), EXPORT_EVERY_MILLISECONDS).unref()
  }

  add(span: object): void {
    if (this.#queue.length >= MAX_QUEUED) {
      this.metric.add('dropped')
      return
    }
    this.#queue.push(span)
    if (this.#queue.length >= MAX_PER_REQUEST) void this.#export()
  }

  /** Posts what is left, for a short time. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    const late = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_WITHIN_MILLISECONDS).unref())
    await Promise.race([late, this.#exportAll()])
  }

  async #exportAll(): Promise<void> {
    while (this.#exporting || this.#queue.length > 0) await this.#export()
  }

  #export(): Promise<void> {
    if (!this.#exporting && this.#queue.length > 0) {
      this.#exporting = this.#post(this.#queue.splice(0, MAX_PER_REQUEST)).finally(() => {
        this.#exporting = undefined
      })
    }
    return this.#exporting ?? Promise.resolve()
  }

  /** Never rejects. */
  async #post(spans: readonly object[]): Promise<void> {
    const { url, headers, logger } = this.#options
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(this.#render(spans)),
        signal: AbortSignal.timeout(EXPORT_WITHIN_MILLISECONDS),
      })
      await response.body?.cancel()
      if (!response.ok) throw new Error(`The collector responded with ${response.status}`)
      this.metric.add('exported', spans.length)
      this.#hasFailed = false
    } catch (error) {
      this.metric.add('failed', spans.length)
      // Once for each outage.
      if (!this.#hasFailed) logger.warn({ reason: (error as Error).message }, 'cannot export traces')
      this.#hasFailed = true
    }
  }

  #render(spans: readonly object[]): object {
    const serviceName = { key: 'service.name', value: { stringValue: this.#options.serviceName } }
    return {
      resourceSpans: [{ resource: { attributes: [serviceName] }, scopeSpans: [{ scope: { name: 'souk' }, spans }] }],
    }
  }
}
