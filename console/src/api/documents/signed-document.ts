import { consoleHeaders, sellerHeader } from '../client.ts'

/** A link to a document, as getReportDocument and getFeedDocument return it. */
export interface SignedDocument {
  url: string
  compressionAlgorithm?: string | undefined
}

export interface LoadedDocument {
  text: string
  /** The bytes of the text, decompressed. */
  content: Blob
  contentType: string
  /** As downloaded, which is usually compressed. */
  downloadedBytes: number
  /** The text and its bytes end early because the document is larger than a page can show. */
  isCut: boolean
}

/** The text of larger documents is cut. Browsers keep text of this size without trouble. */
const MAX_BYTES = 128 * 1024 * 1024
/** Signs the links that Souk serves itself. Links to other storage have a key of that storage. */
const OWN_KEY_ID = 'AKIASOUKDOCUMENTS000'

/**
 * Where this page reaches a signed link. Souk signs its own links for its public address, and the page may use another
 * name of the same service, which the page's policy treats as a foreign one.
 */
export function reachableUrl(url: string, seller = sellerHeader()): { url: string; headers: Record<string, string> } {
  const { searchParams, pathname, search } = new URL(url)
  const isOwn = searchParams.get('X-Amz-Credential')?.startsWith(`${OWN_KEY_ID}/`)
  return isOwn ? { url: pathname + search, headers: consoleHeaders(seller) } : { url, headers: {} }
}

/** Downloads and decompresses a document. */
export async function loadDocument(document: SignedDocument, signal?: AbortSignal): Promise<LoadedDocument> {
  const { url, headers } = reachableUrl(document.url)
  const response = await fetch(url, { headers, signal: signal ?? null })
  if (!response.ok || !response.body) throw new Error(await describeStorageError(response))
  const contentType = response.headers.get('content-type') ?? 'application/octet-stream'
  let downloadedBytes = 0
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        downloadedBytes += chunk.byteLength
        controller.enqueue(chunk)
      },
    }),
  )
  const isCompressed = document.compressionAlgorithm === 'GZIP' && !response.headers.has('content-encoding')
  const decompressed = isCompressed ? counted.pipeThrough(new DecompressionStream('gzip')) : counted
  const { text, chunks, isCut } = await readText(decompressed, charsetOf(contentType))
  return { text, content: new Blob(chunks, { type: contentType }), contentType, downloadedBytes, isCut }
}

async function readText(content: ReadableStream<Uint8Array<ArrayBuffer>>, charset: string) {
  const decoder = new TextDecoder(charset)
  const reader = content.getReader()
  const parts: string[] = []
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    bytes += value.byteLength
    chunks.push(value)
    parts.push(decoder.decode(value, { stream: true }))
    if (bytes < MAX_BYTES) continue
    await reader.cancel()
    return { text: parts.join(''), chunks, isCut: true }
  }
  parts.push(decoder.decode())
  return { text: parts.join(''), chunks, isCut: false }
}

function charsetOf(contentType: string): string {
  const [, charset = 'utf-8'] = /charset="?([\w-]+)/i.exec(contentType) ?? []
  try {
    return new TextDecoder(charset).encoding
  } catch {
    return 'utf-8'
  }
}

/** Storage reports errors in XML. */
export async function describeStorageError(response: Response): Promise<string> {
  return describeStorageBody(response.status, await response.text())
}

export function describeStorageBody(status: number, body: string): string {
  const [, code] = /<Code>([^<]*)<\/Code>/.exec(body) ?? []
  const [, message] = /<Message>([^<]*)<\/Message>/.exec(body) ?? []
  return code ? `${code}: ${message ?? ''}` : `The storage of documents returned status ${status}.`
}
