import { createHash } from 'node:crypto'
import { finished, PassThrough, type Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { Type } from 'typebox'
import { DOCUMENTS_PATH, type VerifiedUrl } from '../platform/documents/file-document-store.ts'
import type { ByteRange, DocumentHead, DocumentStore } from '../platform/documents/port.ts'
import type { SignedUrlRequest } from '../platform/documents/url-signing.ts'
import { neverPasses } from '../platform/errors/explanation.ts'
import { noSuchKey, StorageError } from '../platform/errors/storage-error.ts'
import { pathOf } from './authentication.ts'
import { parseRange } from './byte-range.ts'
import { type Routes, reasonHeader } from './route.ts'

export interface DocumentRoutes {
  store: Pick<DocumentStore, 'put' | 'get' | 'head'> & {
    verifyUrl(request: SignedUrlRequest): Promise<VerifiedUrl>
  }
  maxUploadBytes: number
  /** Returns the body of the response to an upload. Default: no body. */
  renderUploadResponse?(key: string, url: string): object | undefined
}

const StorageErrors = {
  description: 'S3-style error. See [Errors](/docs/errors#errors-of-document-urls).',
  headers: reasonHeader,
  content: {
    'application/xml': {
      schema: Type.Object({ Code: Type.String(), Message: Type.String(), RequestId: Type.String() }),
    },
  },
}
const bytes = (description: string) => ({
  description,
  content: { 'application/octet-stream': { schema: Type.String({ format: 'binary' }) } },
})

const Uploaded = Type.Object(
  { url: Type.Optional(Type.String()), feedDocumentId: Type.Optional(Type.String()) },
  { description: 'The document is stored' },
)

const OTHER_METHODS: HTTPMethods[] = ['DELETE', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'QUERY', 'TRACE']

/** Serves the signed addresses of a store that has no server of its own. The signature is all the access there is. */
export function createDocumentRoutes({
  store,
  maxUploadBytes,
  renderUploadResponse: answerUpload,
}: DocumentRoutes): Routes {
  const url = `${DOCUMENTS_PATH}*`
  const config = { access: 'public', storage: true } as const
  const params = Type.Object({ key: Type.String({ description: 'Document key' }) })
  const tags = ['documents']
  /** By key. One ends when the next begins: each takes as much of the disk as a document may, for as long as it lasts. */
  const uploads = new Map<string, Readable>()

  return (app) => {
    app.get(
      url,
      {
        config,
        schema: {
          operationId: 'downloadDocument',
          tags,
          summary: 'Download a document from a signed URL',
          params,
          response: {
            200: bytes('The document'),
            206: bytes('The range of it that was asked for'),
            '4xx': StorageErrors,
          },
        },
      },
      download,
    )
    app.put(
      url,
      {
        config,
        bodyLimit: maxUploadBytes,
        schema: {
          operationId: 'uploadDocument',
          tags,
          summary: 'Upload a document to a signed URL',
          params,
          response: { 200: Uploaded, '4xx': StorageErrors },
        },
        // Before the body is parsed: the parser would hold it whole, and refuse types that the address allows.
        onRequest: upload,
      },
      refuse,
    )
    app.route({
      method: OTHER_METHODS,
      url,
      config,
      schema: { operationId: 'refuseDocumentRequest', hide: true },
      onRequest: refuse,
      handler: refuse,
    })
  }

  async function download(request: FastifyRequest, reply: FastifyReply) {
    const { key, labels } = await verify(request)
    const range = await findRange(key, request, reply)
    const document = await store.get(key, range)
    if (!document) throw noSuchKey(key)
    reply.headers({
      'content-type': labels.contentType ?? 'application/octet-stream',
      'content-length': document.bytes,
      'accept-ranges': 'bytes',
      'last-modified': document.modifiedAt.toUTCString(),
      etag: etagOf(document),
      // Sellers choose content and type, and a browser must not take it for a page of this service.
      'content-security-policy': "default-src 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
    })
    if (labels.contentEncoding) reply.header('content-encoding', labels.contentEncoding)
    if (range) {
      const last = Math.min(range.last, document.bytes - 1)
      reply.code(206).headers({
        'content-range': `bytes ${range.first}-${last}/${document.bytes}`,
        'content-length': last - range.first + 1,
      })
    }
    // Returned, because a handler that returns the reply ends only when the client has read everything.
    return document.content as never
  }

  /** The part of the document that the request asks for; undefined when it asks for the whole. */
  async function findRange(key: string, request: FastifyRequest, reply: FastifyReply): Promise<ByteRange | undefined> {
    const { range, 'if-range': ifRange } = request.headers
    if (!range) return undefined
    const head = await store.head(key)
    if (!head) throw noSuchKey(key)
    // A resumed download must not join parts of two documents.
    if (ifRange !== undefined && ifRange !== etagOf(head)) return undefined
    const found = parseRange(range, head.bytes)
    if (found !== 'outside') return found
    reply.header('content-range', `bytes */${head.bytes}`)
    throw new StorageError('InvalidRange', `The document has ${head.bytes} bytes, none of them in the range.`, {
      explain: () => ({
        facts: { range, bytes: head.bytes },
        change: { headers: { range: `bytes=0-${Math.max(head.bytes - 1, 0)}` } },
      }),
    })
  }

  async function upload(request: FastifyRequest, reply: FastifyReply) {
    const { key } = await verify(request)
    if (Number(request.headers['content-length']) > maxUploadBytes) throw tooLarge()
    // Iterating over the body itself would destroy it at an error: unread data stalls the connection.
    const content = request.raw.pipe(new PassThrough())
    // It is passed on by the iteration, which begins later.
    content.on('error', () => {})
    finished(request.raw, { writable: false }, (error) => error && content.destroy(error))
    uploads.get(key)?.destroy(createReplacedError())
    uploads.set(key, content)
    try {
      await store.put(key, withDigest(upToLimit(content), request.headers['content-md5']))
    } finally {
      if (uploads.get(key) === content) uploads.delete(key)
      // Discard the rest of a refused body: a client reads the response only after it has sent everything.
      request.raw.unpipe(content).resume()
    }
    return reply.send(answerUpload?.(key, request.url))
  }

  async function* upToLimit(content: Readable): AsyncIterable<Uint8Array> {
    let received = 0
    for await (const chunk of content) {
      received += chunk.length
      if (received > maxUploadBytes) throw tooLarge()
      yield chunk
    }
  }

  /** The method is signed, so an address never verifies with another one. */
  async function refuse(request: FastifyRequest): Promise<never> {
    await verify(request)
    throw new StorageError('AccessDenied', 'The address is for another method.', {
      explain: neverPasses('Use the URL with the method that it was signed for.', { method: request.method }),
    })
  }

  function verify(request: FastifyRequest): Promise<VerifiedUrl> {
    const path = pathOf(request)
    return store.verifyUrl({
      method: request.method,
      path,
      query: request.url.slice(path.length + 1),
      contentType: request.headers['content-type'],
      contentMd5: request.headers['content-md5'] as string | undefined,
    })
  }

  function tooLarge(): StorageError {
    return new StorageError('EntityTooLarge', `A document must not have more than ${maxUploadBytes} bytes.`, {
      explain: neverPasses('Split the document.', { maxUploadBytes }),
    })
  }
}

const MD5_BYTES = 16

const createReplacedError = () =>
  new StorageError('InvalidRequest', 'Another upload to this URL has begun.', {
    explain: neverPasses('Upload a document once, and again only if that has failed.', {}),
  })

/** Refuses content that differs from its hash, as S3 does: at the end, before anything is stored. */
async function* withDigest(content: AsyncIterable<Uint8Array>, contentMd5: unknown): AsyncIterable<Uint8Array> {
  if (contentMd5 === undefined) return yield* content
  const expected = Buffer.from(String(contentMd5), 'base64')
  if (expected.length !== MD5_BYTES)
    throw wrongDigest('InvalidDigest', 'Content-MD5 is not an MD5 hash in Base64.', contentMd5)
  const hash = createHash('md5')
  for await (const chunk of content) {
    hash.update(chunk)
    yield chunk
  }
  const actual = hash.digest()
  if (actual.equals(expected)) return
  throw wrongDigest('BadDigest', 'The content does not have this Content-MD5.', contentMd5, actual.toString('base64'))
}

/** The header is signed, so the address with the right one is another address. */
const wrongDigest = (
  code: 'InvalidDigest' | 'BadDigest',
  message: string,
  contentMd5: unknown,
  actual = '<the MD5 hash of the content in Base64>',
) =>
  new StorageError(code, message, {
    explain: () => ({
      facts: { 'content-md5': contentMd5, expected: actual },
      change: {
        headers: { 'content-md5': actual },
        first: 'If the URL was signed for the wrong hash, request one for the right hash.',
      },
    }),
  })

const etagOf = ({ bytes, modifiedAt }: DocumentHead) => `"${modifiedAt.getTime().toString(16)}-${bytes.toString(16)}"`
