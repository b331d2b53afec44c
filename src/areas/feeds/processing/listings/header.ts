import { INCLUDED_DATA, INVALID_MESSAGE_CODE, type IncludedData } from '../../../../marketplace/bulk-listings.ts'
import { FeedError } from '../../feed-error.ts'

/** What the head of a listings document says, once it is known to be right. */
export interface Header {
  issueLocale?: string
  /** What the result is to show of the items; absent where it is to show none. */
  includedData?: readonly IncludedData[]
  /** As it was given, to be given back. */
  report?: object
}

const VERSION = '2.0'
const API_VERSION = '2021-08-01'
const VERSION_CODE = '4002006'

export function parseHeader(value: unknown, sellerId: string): Header {
  if (!isObject(value)) throw new FeedError('The header must be an object.', INVALID_MESSAGE_CODE)
  const { version, issueLocale } = value
  if (version !== VERSION) {
    throw new FeedError(`The header's version must be "${VERSION}", not ${JSON.stringify(version)}.`, VERSION_CODE)
  }
  if (value.sellerId !== sellerId) {
    throw new FeedError(`Invalid 'accountId' provided. The header's sellerId must be ${sellerId}.`)
  }
  if (issueLocale !== undefined && typeof issueLocale !== 'string') {
    throw new FeedError("The header's issueLocale must be text such as en_US.", INVALID_MESSAGE_CODE)
  }
  return { ...(issueLocale && { issueLocale }), ...parseReportOptions(value) }
}

/** The specification has the data sets in the header itself, the public schema under `report`. */
function parseReportOptions({
  report,
  includedData,
}: Record<string, unknown>): Pick<Header, 'includedData' | 'report'> {
  if (report === undefined) {
    if (includedData === undefined) return {}
    const sets = parseDataSets(includedData, 'includedData')
    return { includedData: sets, report: { includedData: sets, apiVersion: API_VERSION } }
  }
  if (!isObject(report)) throw new FeedError("The header's report must be an object.", INVALID_MESSAGE_CODE)
  if (report.apiVersion !== API_VERSION) {
    throw new FeedError(`The header's report.apiVersion must be "${API_VERSION}".`, INVALID_MESSAGE_CODE)
  }
  const sets = parseDataSets(report.includedData, 'report.includedData')
  return { includedData: sets, report: { includedData: sets, apiVersion: API_VERSION } }
}

function parseDataSets(value: unknown, place: string): IncludedData[] {
  const known = Array.isArray(value) && value.length > 0 && value.every((one) => INCLUDED_DATA.includes(one))
  if (known) return [...new Set(value)]
  throw new FeedError(
    `The header's ${place} must be a list of some of ${INCLUDED_DATA.join(', ')}.`,
    INVALID_MESSAGE_CODE,
  )
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
