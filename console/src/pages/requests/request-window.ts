import type { RequestSummary } from '../../api/request-log.ts'

/** More would cost memory, and a filter finds a request sooner than scrolling. */
export const MAX_REQUESTS = 2_000

type Requests = readonly RequestSummary[]

/** Adds requests in the order in which they ended. One that is known, because it was still running, is replaced. */
export function addArrived(known: Requests, arrived: Requests): Requests {
  const added = new Map(arrived.map((request) => [request.id, request]))
  const kept = known.map((request) => {
    const latest = added.get(request.id)
    added.delete(request.id)
    return latest ?? request
  })
  return [...[...added.values()].reverse(), ...kept].slice(0, MAX_REQUESTS)
}

/** Adds a page of the log, which may have what is known and what was missed. */
export function addPage(known: Requests, page: Requests): Requests {
  const all = new Map([...known, ...page].map((request) => [request.id, request]))
  return [...all.values()].sort((one, other) => compare(other.startedAt, one.startedAt)).slice(0, MAX_REQUESTS)
}

/**
 * Replaces what is known by the newest page of the log, of which nothing is missing. What is older comes again with
 * further pages, unless the log no longer has any.
 */
export function startWithPage(known: Requests, page: Requests, hasOlder: boolean): Requests {
  const oldest = page.at(-1)?.startedAt
  const isNewer = ({ startedAt }: RequestSummary) => oldest !== undefined && startedAt >= oldest
  return addPage(hasOlder ? known.filter(isNewer) : known, page)
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
