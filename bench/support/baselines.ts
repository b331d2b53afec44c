import { startCompanion } from './child.ts'
import type { Answer } from './demo-client.ts'
import type { FeedAnswer, FeedQuestion } from './feed-baseline.ts'
import type { ReportAnswer, ReportQuestion } from './report-baseline.ts'

export interface BareHttpServer extends AsyncDisposable {
  url: string
}

/** A bare `node:http` server in a process of its own that gives the same answer to everything. */
export async function startBareHttpServer(answer: Answer): Promise<BareHttpServer> {
  const companion = startCompanion<Answer, string>('./bare-http-server.ts')
  return { url: await companion.ask(answer), [Symbol.asyncDispose]: () => companion[Symbol.asyncDispose]() }
}

export interface SqliteBaseline extends AsyncDisposable {
  transactionsPerSecond(orderIds: string[]): Promise<number>
}

/** The statements of a solicitation on SQLite alone, in a process of its own. */
export function startSqliteBaseline(file: string, sellerId: string): SqliteBaseline {
  const companion = startCompanion<string[], number>('./sqlite-baseline.ts', [file, sellerId])
  return {
    transactionsPerSecond: (orderIds) => companion.ask(orderIds),
    [Symbol.asyncDispose]: () => companion[Symbol.asyncDispose](),
  }
}

/** The least that a change of price must do, on SQLite alone, in a process of its own. */
export function startListingBaseline(file: string, sellerId: string, marketplaceId: string): SqliteBaseline {
  const companion = startCompanion<string[], number>('./listing-baseline.ts', [file, sellerId, marketplaceId])
  return {
    transactionsPerSecond: (skus) => companion.ask(skus),
    [Symbol.asyncDispose]: () => companion[Symbol.asyncDispose](),
  }
}

/** A report straight from SQLite through zlib to a file, in a process of its own. */
export function startReportBaseline(file: string, sellerId: string, marketplaceId: string) {
  return startCompanion<ReportQuestion, ReportAnswer>('./report-baseline.ts', [file, sellerId, marketplaceId])
}

/** A listings document parsed and upserted in one transaction, in a process of its own. */
export function startFeedBaseline(file: string, sellerId: string, marketplaceId: string) {
  return startCompanion<FeedQuestion, FeedAnswer>('./feed-baseline.ts', [file, sellerId, marketplaceId])
}
