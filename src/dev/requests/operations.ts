import { ApiError, invalidParameter } from '../../platform/errors/api-error.ts'
import { inSlices } from '../../platform/in-slices.ts'
import { decodePageToken, encodePageToken } from '../../platform/paging.ts'
import { isTimestamp, parseTimestamp } from '../../platform/timestamps.ts'
import type { Entry } from './entry.ts'
import { explain, type ListKnownIds } from './explain.ts'
import { Matcher, type RequestMatcher } from './matcher.ts'
import { renderMessages, renderSummary } from './render.ts'
import type { Dropped, RequestLog } from './request-log.ts'
import { DEFAULT_PAGE, type ListQuery, type RequestDetail, type RequestList, type RequestSummary } from './schema.ts'

export interface RequestDependencies {
  log: RequestLog
  /** The URL by which clients reach the control plane. */
  controlUrl: () => string
}

export type RequestOperations = ReturnType<typeof createRequestOperations>

/** Reads the request log. */
export function createRequestOperations({
  log,
  controlUrl,
  listKnownIds,
}: RequestDependencies & { listKnownIds: ListKnownIds }) {
  return {
    async listRequests({ since, limit = DEFAULT_PAGE, cursor, ...wanted }: ListQuery): Promise<RequestList> {
      requireOn(log)
      const before = cursor === undefined ? Infinity : parseCursor(cursor)
      const requests: RequestSummary[] = []
      let last: Entry | undefined
      let hasMore = false
      for await (const entry of select(log, wanted, since)) {
        if (entry.number >= before) continue
        hasMore = requests.length === limit
        if (hasMore) break
        requests.push(renderSummary(entry, controlUrl()))
        last = entry
      }
      return {
        requests,
        ...(hasMore && { nextCursor: encodePageToken([String(last?.number)]) }),
        dropped: log.droppedCount,
        cleared: log.cleared,
      }
    },

    async getRequest(id: string): Promise<RequestDetail> {
      requireOn(log)
      const entry = log.find(id)
      if (!entry) throw notFound(id, log)
      const explanation = await explain(entry, listKnownIds)
      return {
        ...renderSummary(entry, controlUrl()),
        ...renderMessages(entry),
        ...(explanation && { explanation }),
      }
    },

    clearRequests(): void {
      log.clear()
    },
  }
}

/** The requests that match, newest first. */
export async function* select(
  log: RequestLog,
  wanted: RequestMatcher,
  since: string | undefined,
): AsyncGenerator<Entry> {
  log.operations.requireKnown(wanted)
  const matcher = new Matcher(wanted)
  const { includes } = parseSince(log, since)
  for await (const entry of inSlices(log.list())) if (includes(entry) && matcher.matches(entry)) yield entry
}

/** The requests that started at or after a time of the marketplace, or after another request. */
export interface Since {
  includes(entry: Entry): boolean
  /** Whether one of those that the log no longer has may be among them. */
  mayInclude(dropped: Dropped): boolean
}

export function parseSince(log: RequestLog, since: string | undefined): Since {
  if (since === undefined) return { includes: () => true, mayInclude: () => true }
  if (isTimestamp(since)) {
    const time = parseTimestamp(since).getTime()
    return { includes: (entry) => entry.time >= time, mayInclude: ({ lastTime }) => lastTime >= time }
  }
  const after = log.find(since)?.number
  if (after === undefined)
    throw invalidParameter('since', 'must be an ISO 8601 date and time or the id of a logged request')
  // The request itself may be dropped later, and others after it.
  return { includes: ({ number }) => number > after, mayInclude: ({ lastNumber }) => lastNumber > after }
}

export function requireOn({ capacity }: RequestLog): void {
  if (capacity > 0) return
  throw new ApiError('NotFound', 'The request log is off.', 'Start souk dev without --request-log 0.')
}

function parseCursor(cursor: string): number {
  const number = Number(decodePageToken(cursor, 1)[0])
  if (Number.isInteger(number)) return number
  throw invalidParameter('cursor', 'is invalid: it was not issued by this service')
}

const notFound = (id: string, { capacity }: RequestLog) =>
  new ApiError(
    'NotFound',
    `The log has no request ${id}.`,
    `It has the last ${capacity} at most, and none from before a reset. Calls to /_souk are not logged.`,
  )
