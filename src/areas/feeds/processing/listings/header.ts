import { INCLUDED_DATA, type IncludedData, MESSAGE_FAULT_CODE } from '../../../../marketplace/bulk-listings.ts'
import { FeedFault } from '../../feed-error.ts'

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

export function readHeader(value: unknown, sellerId: string): Header {
  if (!isObject(value)) throw new FeedFault('The header must be an object.', MESSAGE_FAULT_CODE)
  const { version, issueLocale } = value
  if (version !== VERSION) {
    throw new FeedFault(`The header's version must be "${VERSION}", not ${JSON.stringify(version)}.`, VERSION_CODE)
  }
  if (value.sellerId !== sellerId) {
    throw new FeedFault(`Invalid 'accountId' provided. The header's sellerId must be ${sellerId}.`)
  }
  if (issueLocale !== undefined && typeof issueLocale !== 'string') {
    throw new FeedFault("The header's issueLocale must be text such as en_US.", MESSAGE_FAULT_CODE)
  }
  return { ...(issueLocale && { issueLocale }), ...readReport(value) }
}

/** The specification has the data sets in the header itself, the public schema under `report`. */
function readReport({ report, includedData }: Record<string, unknown>): Pick<Header, 'includedData' | 'report'> {
  if (report === undefined) {
    if (includedData === undefined) return {}
    const sets = readDataSets(includedData, 'includedData')
    return { includedData: sets, report: { includedData: sets, apiVersion: API_VERSION } }
  }
  if (!isObject(report)) throw new FeedFault("The header's report must be an object.", MESSAGE_FAULT_CODE)
  if (report.apiVersion !== API_VERSION) {
    throw new FeedFault(`The header's report.apiVersion must be "${API_VERSION}".`, MESSAGE_FAULT_CODE)
  }
  const sets = readDataSets(report.includedData, 'report.includedData')
  return { includedData: sets, report: { includedData: sets, apiVersion: API_VERSION } }
}

function readDataSets(value: unknown, place: string): IncludedData[] {
  const known = Array.isArray(value) && value.length > 0 && value.every((one) => INCLUDED_DATA.includes(one))
  if (known) return [...new Set(value)]
  throw new FeedFault(
    `The header's ${place} must be a list of some of ${INCLUDED_DATA.join(', ')}.`,
    MESSAGE_FAULT_CODE,
  )
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
