import { demo } from '../../src/dev/demo/index.ts'
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
  transactionsPerSecond(keys: string[]): Promise<number>
}

/** The statements of a change on SQLite alone, each in a transaction, in a process of its own. */
function startSqliteBaseline(script: string, file: string): SqliteBaseline {
  const companion = startChildService<string[], number>(script, [file, demo.sellerId, demo.marketplaceId])
  return {
    transactionsPerSecond: (keys) => companion.ask(keys),
    [Symbol.asyncDispose]: () => companion[Symbol.asyncDispose](),
  }
}

/** Keys are ids of orders. */
export const startSolicitationBaseline = (file: string) => startSqliteBaseline('./solicitation-baseline.ts', file)

/** A confirmed shipment. Keys are ids of orders. */
export const startOrderBaseline = (file: string) => startSqliteBaseline('./order-baseline.ts', file)

/** The least that a change of price must do. Keys are SKUs. */
export const startListingBaseline = (file: string) => startSqliteBaseline('./listing-baseline.ts', file)

/** A report straight from SQLite through zlib to a file, in a process of its own. */
export function startReportBaseline(file: string, sellerId: string, marketplaceId: string) {
  return startChildService<ReportQuestion, ReportAnswer>('./report-baseline.ts', [file, sellerId, marketplaceId])
}

/** A listings document parsed and upserted in one transaction, in a process of its own. */
export function startFeedBaseline(file: string, sellerId: string, marketplaceId: string) {
  return startChildService<FeedQuestion, FeedAnswer>('./feed-baseline.ts', [file, sellerId, marketplaceId])
}
