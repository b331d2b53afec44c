import { startChildService } from './child.ts'
import type { HttpResponse } from './demo-client.ts'
import type { FeedAnswer, FeedQuestion } from './feed-baseline.ts'
import type { ReportAnswer, ReportQuestion } from './report-baseline.ts'

export interface BareHttpServer extends AsyncDisposable {
  url: string
}

/** A bare `node:http` server in a separate process that returns the same response to every request. */
export async function startBareHttpServer(answer: HttpResponse): Promise<BareHttpServer> {
  const companion = startChildService<HttpResponse, string>('./bare-http-server.ts')
  return { url: await companion.ask(answer), [Symbol.asyncDispose]: () => companion[Symbol.asyncDispose]() }
}

export interface SqliteBaseline extends AsyncDisposable {
  transactionsPerSecond(orderIds: string[]): Promise<number>
}

/** The statements of a solicitation on SQLite alone, in a process of its own. */
export function startSqliteBaseline(file: string, sellerId: string): SqliteBaseline {
  const companion = startChildService<string[], number>('./sqlite-baseline.ts', [file, sellerId])
  return {
    transactionsPerSecond: (orderIds) => companion.ask(orderIds),
    [Symbol.asyncDispose]: () => companion[Symbol.asyncDispose](),
  }
}

/** The statements of a confirmed shipment on SQLite alone, in a process of its own. */
export function startOrderBaseline(file: string, sellerId: string): SqliteBaseline {
  const companion = startChildService<string[], number>('./order-baseline.ts', [file, sellerId])
  return {
    transactionsPerSecond: (orderIds) => companion.ask(orderIds),
    [Symbol.asyncDispose]: () => companion[Symbol.asyncDispose](),
  }
}

/** The least that a change of price must do, on SQLite alone, in a process of its own. */
export function startListingBaseline(file: string, sellerId: string, marketplaceId: string): SqliteBaseline {
  const companion = startChildService<string[], number>('./listing-baseline.ts', [file, sellerId, marketplaceId])
  return {
    transactionsPerSecond: (skus) => companion.ask(skus),
    [Symbol.asyncDispose]: () => companion[Symbol.asyncDispose](),
  }
}

/** A report straight from SQLite through zlib to a file, in a process of its own. */
export function startReportBaseline(file: string, sellerId: string, marketplaceId: string) {
  return startChildService<ReportQuestion, ReportAnswer>('./report-baseline.ts', [file, sellerId, marketplaceId])
}

/** A listings document parsed and upserted in one transaction, in a process of its own. */
export function startFeedBaseline(file: string, sellerId: string, marketplaceId: string) {
  return startChildService<FeedQuestion, FeedAnswer>('./feed-baseline.ts', [file, sellerId, marketplaceId])
}
