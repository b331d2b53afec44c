import type { Database } from '../../../../platform/database/port.ts'
import type { TextChunk } from '../../../../platform/documents/write-compressed.ts'
import type { Feed, FeedIssue } from '../../feed.ts'
import type { RenderedItem } from '../../ports.ts'
import type { ResultInput } from '../processor.ts'
import type { Header } from './header.ts'

/** The items of a result. */
export interface ReportedItems {
  header: Header
  /** Renders the items of accepted messages in pages. Takes the number of errors by the id of their message. */
  renderItems(database: Database, errorsById: ReadonlyMap<number, number>): AsyncIterable<readonly RenderedItem[]>
}

/** Writes the processing report of the public schema, version 2. A document without a plan has no reported items. */
export async function* writeProcessingReport(
  { sellerId, feedId, progress }: Feed,
  { database, issues }: ResultInput,
  reported?: ReportedItems,
): AsyncGenerator<TextChunk> {
  const header = {
    sellerId,
    version: '2.0',
    feedId,
    ...(reported?.header.report && { report: reported.header.report }),
  }
  yield { text: `{"header":${JSON.stringify(header)},"issues":[`, rows: 0 }

  const errorsById = new Map<number, number>()
  let separator = ''
  for await (const page of issues) {
    yield { text: separator + page.map((issue) => JSON.stringify(renderIssue(issue))).join(','), rows: page.length }
    separator = ','
    for (const { severity, messageId } of page) {
      if (severity === 'ERROR' && messageId !== undefined)
        errorsById.set(messageId, (errorsById.get(messageId) ?? 0) + 1)
    }
  }
  yield { text: ']', rows: 0 }

  const itemSummary = { items: 0, errors: 0, warnings: 0 }
  if (reported?.header.includedData) {
    yield { text: ',"items":[', rows: 0 }
    separator = ''
    for await (const page of reported.renderItems(database, errorsById)) {
      if (page.length === 0) continue
      yield { text: separator + page.map(({ text }) => text).join(','), rows: page.length }
      separator = ','
      for (const { errors, warnings } of page) {
        itemSummary.items++
        itemSummary.errors += errors
        itemSummary.warnings += warnings
      }
    }
    yield { text: ']', rows: 0 }
  }

  const { errors, warnings, applied, accepted, invalid } = progress
  const summary = {
    errors,
    warnings,
    messagesProcessed: applied,
    messagesAccepted: accepted,
    messagesInvalid: invalid,
    ...(reported?.header.includedData && { itemSummary }),
  }
  yield { text: `,"summary":${JSON.stringify(summary)}}`, rows: 0 }
}

const renderIssue = ({ messageId, sku, code, severity, message, attribute }: FeedIssue) => ({
  ...(messageId !== undefined && { messageId }),
  ...(sku !== undefined && { sku }),
  code,
  severity,
  message,
  ...(attribute !== undefined && { attributeName: attribute }),
})
