import { ENVELOPE_END, envelopeStart } from '../../../document-requests/amazon-envelope.ts'
import type { TextChunk } from '../../../platform/documents/write-compressed.ts'
import { element } from '../../../platform/xml.ts'
import type { Feed, FeedIssue } from '../feed.ts'
import type { ResultInput } from './processor.ts'

/** Writes the XML processing report. */
export async function* writeXmlReport(
  { sellerId, feedId, progress }: Feed,
  { issues }: Pick<ResultInput, 'issues'>,
): AsyncGenerator<TextChunk> {
  const summary =
    element('MessagesProcessed', progress.applied) +
    element('MessagesSuccessful', progress.accepted) +
    element('MessagesWithError', progress.invalid) +
    element('MessagesWithWarning', 0)
  yield {
    text:
      envelopeStart('ProcessingReport', '1.02', sellerId) +
      `<Message>\n<MessageID>1</MessageID>\n<ProcessingReport>\n${element('DocumentTransactionID', feedId)}\n` +
      `<StatusCode>Complete</StatusCode>\n<ProcessingSummary>${summary}</ProcessingSummary>\n`,
    rows: 0,
  }
  for await (const page of issues) yield { text: page.map(renderIssue).join(''), rows: page.length }
  yield { text: `</ProcessingReport>\n</Message>\n${ENVELOPE_END}`, rows: 0 }
}

// Message 0 stands for the whole document.
const renderIssue = ({ messageId = 0, code, severity, message }: FeedIssue) =>
  `<Result>${element('MessageID', messageId)}${element('ResultCode', severity === 'ERROR' ? 'Error' : 'Warning')}` +
  `${element('ResultMessageCode', code)}${element('ResultDescription', message)}</Result>\n`
