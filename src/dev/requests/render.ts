import type { OutgoingHttpHeaders } from 'node:http'
import { maskTokens } from '../../platform/logging/mask-tokens.ts'
import type { SubjectIds } from '../request-facts.ts'
import { REQUESTS_PATH } from './capture.ts'
import type { Entry } from './entry.ts'
import { grantOf, pathTextOf, queryTextOf, requestTextOf, responseTextOf, sellerOf, subjectsOf } from './entry-view.ts'
import { maskHeaders, maskText } from './mask.ts'
import type { RequestDetail, RequestSummary } from './schema.ts'

export function renderSummary(entry: Entry, controlUrl: string): RequestSummary {
  const { id, operation, method, status, outcome, time, startedAt, milliseconds, caller, rate, left, faultId, error } =
    entry
  const seller = sellerOf(entry)
  const grant = grantOf(entry)
  return {
    id,
    url: `${controlUrl}${REQUESTS_PATH}/${id}`,
    operation,
    method,
    path: pathTextOf(entry),
    query: queryTextOf(entry),
    ...(status !== undefined && { status }),
    outcome,
    time: new Date(time).toISOString(),
    startedAt: new Date(startedAt).toISOString(),
    ...(milliseconds !== undefined && { milliseconds: round(milliseconds) }),
    ...(seller !== undefined && { seller }),
    ...(caller && { application: caller.applicationId }),
    ...(grant !== undefined && { grant }),
    subjects: renderSubjects(subjectsOf(entry)),
    ...(rate && { quota: { ...rate, left: round(left) } }),
    ...(faultId !== undefined && { faultId }),
    ...(error && { error: renderError(error) }),
  }
}

export function renderMessages(entry: Entry): Pick<RequestDetail, 'request' | 'response'> {
  const { requestHeaders, requestBytes, responseHeaders, responseBytes, status } = entry
  return {
    request: renderMessage(requestHeaders, requestBytes, requestTextOf(entry), entry.requestBody),
    ...(status !== undefined && {
      response: renderMessage(responseHeaders, responseBytes, responseTextOf(entry), entry.responseBody),
    }),
  }
}

function renderMessage(
  headers: OutgoingHttpHeaders,
  bytes: number,
  body: string | undefined,
  kept: string | Buffer | undefined,
) {
  const isCut = kept !== undefined && Buffer.byteLength(kept) < bytes
  return {
    headers: maskHeaders(headers),
    bytes,
    ...(body !== undefined && body !== '' && { body }),
    ...(isCut && { isCut: true as const }),
  }
}

/** A client may send a secret as an id. */
const renderSubjects = (subjects: SubjectIds): SubjectIds =>
  Object.fromEntries(Object.entries(subjects).map(([name, ids]) => [name, ids.map(maskTokens)]))

/** The texts may quote the request. */
const renderError = ({ code, message, reason }: { code: string; message: string; reason: string }) => ({
  code,
  message: maskText(message),
  reason: maskText(reason),
})

const round = (value: number) => Math.round(value * 1000) / 1000
