import { readXmlRecords, type XmlElement } from '../../api/documents/read-xml.ts'

export interface FeedIssue {
  /** Absent if it is about the whole document. */
  messageId?: number | undefined
  sku?: string | undefined
  severity: string
  code: string
  message: string
  attributeName?: string | undefined
}

export interface FeedResult {
  /** Numbers of messages, by what became of them. */
  counts: readonly (readonly [label: string, count: number])[]
  /** Errors first, then in the order of the messages. */
  issues: FeedIssue[]
}

export const isError = ({ severity }: FeedIssue): boolean => severity === 'ERROR'

/** Reads the processing report of a feed: JSON of listings feeds, XML of all others. */
export async function readResult(text: string): Promise<FeedResult> {
  const result = /^\s*</.test(text) ? await readXmlResult(text) : readJsonResult(text)
  return { ...result, issues: result.issues.sort(errorsFirst) }
}

function errorsFirst(a: FeedIssue, b: FeedIssue): number {
  return Number(isError(b)) - Number(isError(a)) || (a.messageId ?? 0) - (b.messageId ?? 0)
}

interface JsonResult {
  summary?: Partial<
    Record<'errors' | 'warnings' | 'messagesProcessed' | 'messagesAccepted' | 'messagesInvalid', number>
  >
  issues?: FeedIssue[]
}

function readJsonResult(text: string): FeedResult {
  const { summary = {}, issues = [] }: JsonResult = JSON.parse(text)
  return {
    counts: [
      ['Processed', summary.messagesProcessed ?? 0],
      ['Accepted', summary.messagesAccepted ?? 0],
      ['Not accepted', summary.messagesInvalid ?? 0],
      ['Errors', summary.errors ?? 0],
      ['Warnings', summary.warnings ?? 0],
    ],
    issues,
  }
}

async function readXmlResult(text: string): Promise<FeedResult> {
  const issues: FeedIssue[] = []
  let summary: XmlElement | undefined
  await readXmlRecords(
    text,
    (path) => path.at(-1) === 'Result' || path.at(-1) === 'ProcessingSummary',
    (record) => {
      if (record.name === 'ProcessingSummary') summary = record
      else issues.push(toIssue(record))
    },
  )
  const count = (name: string) => Number(summary ? textOf(summary, name) : 0)
  return {
    counts: [
      ['Processed', count('MessagesProcessed')],
      ['Accepted', count('MessagesSuccessful')],
      ['Errors', count('MessagesWithError')],
      ['Warnings', count('MessagesWithWarning')],
    ],
    issues,
  }
}

function toIssue(record: XmlElement): FeedIssue {
  const messageId = Number(textOf(record, 'MessageID'))
  return {
    // 0 stands for the whole document.
    messageId: messageId > 0 ? messageId : undefined,
    severity: textOf(record, 'ResultCode').toUpperCase(),
    code: textOf(record, 'ResultMessageCode'),
    message: textOf(record, 'ResultDescription'),
  }
}

const textOf = ({ children }: XmlElement, name: string): string =>
  children.find((child) => child.name === name)?.text ?? ''
