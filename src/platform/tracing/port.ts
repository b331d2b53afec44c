export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>
export type SpanKind = 'internal' | 'server' | 'client' | 'producer'

export interface SpanOptions {
  kind: SpanKind
  attributes?: Attributes
  /** The header `traceparent` of the caller (W3C Trace Context). Default: the span within which this one starts. */
  traceparent?: string | undefined
  /** Whether to start no trace of its own. Polling would otherwise make one every second. */
  onlyWithinTrace?: boolean
}

export interface Span {
  /** Runs work, the spans of which are parts of this one. */
  within<Result>(work: () => Result): Result
  end(result?: { name?: string; attributes?: Attributes; error?: unknown }): void
}

/** Records what a request or job spends its time on. */
export interface Tracer {
  start(name: string, options: SpanOptions): Span
  /** Runs work within a span. */
  run<Result>(name: string, options: SpanOptions, work: () => Promise<Result>): Promise<Result>
}
