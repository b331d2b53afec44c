import { inSlices } from '../../platform/in-slices.ts'
import { vendorServiceOf } from '../../platform/vendor-hosts.ts'
import type { Entry } from './entry.ts'
import { requestTextOf, responseTextOf, urlTextOf } from './entry-view.ts'
import { maskHeaders, maskText } from './mask.ts'

const HTTP_VERSION = 'HTTP/1.1'

/**
 * The JSON of the requests as an HTTP Archive 1.2, oldest first, which browsers and HTTP clients open. As a text, because
 * to write that of the whole at once would keep all other requests waiting.
 */
export async function writeHar(entries: readonly Entry[], origin: string, version: string): Promise<string> {
  const finished = entries.filter(({ outcome }) => outcome !== 'running').toReversed()
  const written: string[] = []
  for await (const entry of inSlices(finished)) written.push(JSON.stringify(renderEntry(entry, origin)))
  const creator = JSON.stringify({ name: 'Souk', version })
  return `{"log":{"version":"1.2","creator":${creator},"entries":[${written.join(',')}]}}`
}

function renderEntry(entry: Entry, origin: string) {
  const { startedAt, milliseconds = 0, id, operation, outcome, time, error } = entry
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time: milliseconds,
    request: renderRequest(entry, origin),
    response: renderResponse(entry),
    cache: {},
    timings: { send: 0, wait: milliseconds, receive: 0 },
    ...(error && { comment: [error.code, maskText(error.reason || error.message)].join(': ') }),
    _requestId: id,
    _operation: operation,
    _outcome: outcome,
    _marketplaceTime: new Date(time).toISOString(),
  }
}

function renderRequest(entry: Entry, origin: string) {
  const { method, requestHeaders, requestBytes } = entry
  const url = `${originOf(entry, origin)}${urlTextOf(entry)}`
  const headers = maskHeaders(requestHeaders)
  const text = requestTextOf(entry)
  return {
    method,
    url,
    httpVersion: HTTP_VERSION,
    cookies: [],
    headers: pairsOf(headers),
    queryString: [...(URL.parse(url)?.searchParams ?? [])].map(([name, value]) => ({ name, value })),
    headersSize: -1,
    bodySize: requestBytes,
    ...(text !== undefined && { postData: { mimeType: headers['content-type'] ?? '', params: [], text } }),
  }
}

function renderResponse(entry: Entry) {
  const { status = 0, responseHeaders, responseBytes } = entry
  const headers = maskHeaders(responseHeaders)
  const text = responseTextOf(entry)
  return {
    status,
    statusText: '',
    httpVersion: HTTP_VERSION,
    cookies: [],
    headers: pairsOf(headers),
    content: {
      size: responseBytes,
      mimeType: headers['content-type'] ?? '',
      ...(text !== undefined && { text }),
    },
    redirectURL: '',
    headersSize: -1,
    bodySize: responseBytes,
  }
}

/** A client that was redirected here named a host of the vendor, all of which have TLS only. */
function originOf({ requestHeaders: { host }, isEncrypted }: Entry, origin: string): string {
  if (!host) return origin
  const [name = ''] = host.split(':')
  return `${isEncrypted || vendorServiceOf(name) ? 'https' : 'http'}://${host}`
}

const pairsOf = (headers: Record<string, string>) => Object.entries(headers).map(([name, value]) => ({ name, value }))
