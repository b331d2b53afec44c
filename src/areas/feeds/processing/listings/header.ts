import { FeedError, INVALID_MESSAGE_CODE } from '../../feed-error.ts'

/** The validated header of a listings document. */
export interface Header {
  issueLocale?: string
  /** The data sets of the items in the result. Absent: the result contains no items. */
  includedData?: readonly string[]
  /** Copied into the result. */
  report?: object
}

const VERSION = '2.0'
const API_VERSION = '2021-08-01'
const VERSION_CODE = '4002006'

/** `dataSets`: the data sets that the result can contain. */
export function parseHeader(value: unknown, sellerId: string, dataSets: readonly string[]): Header {
  if (!isObject(value)) throw new FeedError('The header must be an object.', INVALID_MESSAGE_CODE)
  const { version, issueLocale } = value
  if (version !== VERSION) {
    throw new FeedError(`The header's version must be "${VERSION}", not ${JSON.stringify(version)}.`, VERSION_CODE)
  }
  if (value.sellerId !== sellerId) {
    throw new FeedError(`Invalid 'accountId' provided. The header's sellerId must be ${sellerId}.`)
  }
  if (issueLocale !== undefined && typeof issueLocale !== 'string') {
    throw new FeedError("The header's issueLocale must be a locale such as en_US.", INVALID_MESSAGE_CODE)
  }
  return { ...(issueLocale && { issueLocale }), ...parseReportOptions(value, dataSets) }
}

/** The specification puts the data sets into the header itself, the public schema under `report`. */
function parseReportOptions(
  { report, includedData }: Record<string, unknown>,
  dataSets: readonly string[],
): Pick<Header, 'includedData' | 'report'> {
  if (report === undefined) {
    if (includedData === undefined) return {}
    const sets = parseDataSets(includedData, 'includedData', dataSets)
    return { includedData: sets, report: { includedData: sets, apiVersion: API_VERSION } }
  }
  if (!isObject(report)) throw new FeedError("The header's report must be an object.", INVALID_MESSAGE_CODE)
  if (report.apiVersion !== API_VERSION) {
    throw new FeedError(`The header's report.apiVersion must be "${API_VERSION}".`, INVALID_MESSAGE_CODE)
  }
  const sets = parseDataSets(report.includedData, 'report.includedData', dataSets)
  return { includedData: sets, report: { includedData: sets, apiVersion: API_VERSION } }
}

function parseDataSets(value: unknown, field: string, dataSets: readonly string[]): string[] {
  const isValid = Array.isArray(value) && value.length > 0 && value.every((one) => dataSets.includes(one))
  if (isValid) return [...new Set<string>(value)]
  throw new FeedError(
    `The header's ${field} must be a list of one or more of ${dataSets.join(', ')}.`,
    INVALID_MESSAGE_CODE,
  )
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
