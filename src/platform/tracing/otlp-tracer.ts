import { AsyncLocalStorage } from 'node:async_hooks'
import { describeError } from '../errors/describe-error.ts'
import type { Ids } from '../ids/port.ts'
import type { OtlpExporter } from './otlp-exporter.ts'
import type { Attributes, Span, SpanKind, SpanOptions, Tracer } from './port.ts'

interface Context {
  traceId: string
  spanId: string
  isSampled: boolean
}

export interface TracerOptions {
  exporter: Pick<OtlpExporter, 'add'>
  ids: Ids
  /** The part of the traces that start here which is recorded, 0 to 1. A caller decides about its own. */
  sampledRatio: number
}

const KINDS: Record<SpanKind, number> = { internal: 1, server: 2, client: 3, producer: 4 }
const TRACEPARENT = /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})/
const ERROR = 2

const NO_SPAN: Span = { within: (work) => work(), end: () => {} }

/** Records spans in the format of OTLP. */
export class OtlpTracer implements Tracer {
  readonly #options: TracerOptions
  readonly #current = new AsyncLocalStorage<Context>()

  constructor(options: TracerOptions) {
    this.#options = options
  }

  start(name: string, options: SpanOptions): Span {
    const parent = parseTraceparent(options.traceparent) ?? this.#current.getStore()
    if (!parent && options.onlyWithinTrace) return NO_SPAN
    const traceId = parent?.traceId ?? this.#newId()
    const isSampled = parent?.isSampled ?? this.#samples(traceId)
    const context = { traceId, spanId: this.#newId().slice(16), isSampled }
    const within: Span['within'] = (work) => this.#current.run(context, work)
    if (!isSampled) return { within, end: () => {} }
    const startTimeUnixNano = unixNanoseconds()
    return {
      within,
      end: ({ name: finalName = name, attributes, error } = {}) =>
        this.#options.exporter.add({
          traceId,
          spanId: context.spanId,
          ...(parent && { parentSpanId: parent.spanId }),
          name: finalName,
          kind: KINDS[options.kind],
          startTimeUnixNano,
          endTimeUnixNano: unixNanoseconds(),
          attributes: renderAttributes({ ...options.attributes, ...attributes }),
          ...(error !== undefined && { status: { code: ERROR, message: describeError(error) } }),
        }),
    }
  }

  async run<Result>(name: string, options: SpanOptions, work: () => Promise<Result>): Promise<Result> {
    const span = this.start(name, options)
    try {
      const result = await span.within(work)
      span.end()
      return result
    } catch (error) {
      span.end({ error })
      throw error
    }
  }

  #newId(): string {
    return this.#options.ids.next('request').replaceAll('-', '')
  }

  /** By the id, so that all processes decide alike. */
  #samples(traceId: string): boolean {
    return Number.parseInt(traceId.slice(-8), 16) < this.#options.sampledRatio * 2 ** 32
  }
}

/** Of another process. What does not parse is ignored, as the specification asks. */
function parseTraceparent(header: string | undefined): Context | undefined {
  const [, traceId, spanId, flags = '00'] = TRACEPARENT.exec(header ?? '') ?? []
  if (!traceId || !spanId) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

const unixNanoseconds = () => `${Math.round((performance.timeOrigin + performance.now()) * 1000)}000`

const renderAttributes = (attributes: Attributes): object[] =>
  Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ({ key, value: renderValue(value) }))

function renderValue(value: Attributes[string]): object {
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
  return { stringValue: value }
}
