import { timingSafeEqual } from 'node:crypto'
import type { SignatureV4 } from '@smithy/signature-v4'
import { parseBasicDate } from '../auth/basic-date.ts'
import { NodeSha256 } from '../auth/node-sha256.ts'
import { signingSecret } from '../auth/signing-keys.ts'
import type { Clock } from '../clock/port.ts'
import { afterDoing } from '../errors/explanation.ts'
import { StorageError } from '../errors/storage-error.ts'
import { type DownloadHeaders, type UploadHeaders, URL_LIFETIME_SECONDS } from './port.ts'

/** The parts of a request that a signed URL covers. */
export interface SignedUrlRequest {
  method: string
  /** As received, still percent-encoded. */
  path: string
  /** As received, without the question mark. */
  query: string
  contentType: string | undefined
  contentMd5?: string | undefined
}

interface Signable {
  method: string
  /** The public URL of the service. Its host is signed, not the Host header of the request. */
  publicUrl: string
  path: string
  labels: Record<string, string>
  /** Of an upload, in lower case. */
  headers: Record<string, string>
}

// No key of an application has this form, so the derived secret is unique.
const ACCESS_KEY_ID = 'AKIASOUKDOCUMENTS000'
const REGION = 'us-east-1'
const CONTENT_TYPE = 'response-content-type'
const CONTENT_ENCODING = 'response-content-encoding'
// The clocks of processes that share a store may differ slightly.
const CLOCK_SKEW_MILLISECONDS = 60_000

/** Signs URLs in the query, as S3 does with AWS Signature Version 4, and verifies them. */
export class UrlSigner {
  /** The first secret signs; URLs signed with any of them are valid. */
  readonly #secretAccessKeys: readonly [string, ...string[]]
  readonly #clock: Clock
  readonly #signers = new Map<string, Promise<SignatureV4>>()

  constructor(masterSecret: string, clock: Clock, fallbackSecrets: readonly string[] = []) {
    const keyOf = (secret: string) => signingSecret(secret, ACCESS_KEY_ID)
    this.#secretAccessKeys = [keyOf(masterSecret), ...fallbackSecrets.map(keyOf)]
    this.#clock = clock
  }

  async signDownload(publicUrl: string, path: string, labels: DownloadHeaders): Promise<string> {
    const { contentType, contentEncoding } = labels
    return this.#sign({
      method: 'GET',
      publicUrl,
      path,
      labels: { [CONTENT_TYPE]: contentType, ...(contentEncoding && { [CONTENT_ENCODING]: contentEncoding }) },
      headers: {},
    })
  }

  async signUpload(publicUrl: string, path: string, { contentType, contentMd5 }: UploadHeaders): Promise<string> {
    const headers = {
      ...(contentType !== undefined && { 'content-type': contentType }),
      ...(contentMd5 !== undefined && { 'content-md5': contentMd5 }),
    }
    return this.#sign({ method: 'PUT', publicUrl, path, labels: {}, headers })
  }

  /** Returns the labels in the URL. Throws unless the URL was signed for exactly this request. */
  async verify(publicUrl: string, request: SignedUrlRequest): Promise<Partial<DownloadHeaders>> {
    const given = readQuery(request.query)
    if (!given.has('X-Amz-Signature')) throw notSigned()
    const signedAt = requireNotExpired(given, this.#clock.now())
    const labels = [...given].filter(([name]) => name === CONTENT_TYPE || name === CONTENT_ENCODING)
    const { method, path } = request
    const headers = method === 'PUT' ? signedHeadersOf(given, request) : {}
    const signable = { method, publicUrl, path, labels: Object.fromEntries(labels), headers }
    for (const key of this.#secretAccessKeys) {
      const expected = await this.#query(key, signable, signedAt)
      if (!isSameQuery(given, expected)) continue
      return {
        ...(expected[CONTENT_TYPE] && { contentType: expected[CONTENT_TYPE] }),
        ...(expected[CONTENT_ENCODING] === 'gzip' && { contentEncoding: 'gzip' }),
      }
    }
    throw mismatch()
  }

  async #sign(signable: Signable): Promise<string> {
    const query = Object.entries(await this.#query(this.#secretAccessKeys[0], signable, this.#clock.now()))
    const parameters = query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    return `${new URL(signable.publicUrl).origin}${signable.path}?${parameters.join('&')}`
  }

  async #query(key: string, { method, publicUrl, path, labels, headers }: Signable, signedAt: Date) {
    const { protocol, hostname, host } = new URL(publicUrl)
    const signer = await this.#signerOf(key)
    const { query } = await signer.presign(
      {
        method,
        protocol,
        hostname,
        path,
        query: labels,
        headers: { host, ...headers },
        // A body that is neither text nor bytes is signed as UNSIGNED-PAYLOAD, without a parameter.
        body: {},
      },
      { signingDate: signedAt, expiresIn: URL_LIFETIME_SECONDS },
    )
    return query as Record<string, string>
  }

  #signerOf(key: string): Promise<SignatureV4> {
    let signer = this.#signers.get(key)
    if (!signer) {
      signer = loadSigner(key)
      this.#signers.set(key, signer)
    }
    return signer
  }
}

/** Loaded with the first URL, because services without signed URLs do not need the library. */
async function loadSigner(secretAccessKey: string): Promise<SignatureV4> {
  const { SignatureV4 } = await import('@smithy/signature-v4')
  return new SignatureV4({
    credentials: { accessKeyId: ACCESS_KEY_ID, secretAccessKey },
    region: REGION,
    service: 's3',
    sha256: NodeSha256,
    // Only S3 signs paths as they are sent; other services escape them a second time.
    uriEscapePath: false,
    applyChecksum: false,
  })
}

function readQuery(query: string): Map<string, string> {
  const parameters = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(query)) {
    if (parameters.has(name)) throw mismatch()
    parameters.set(name, value)
  }
  return parameters
}

/** The headers of the request that the URL says it was signed for. A URL that names others has another signature. */
function signedHeadersOf(
  parameters: Map<string, string>,
  { contentType = '', contentMd5 = '' }: SignedUrlRequest,
): Record<string, string> {
  const names = parameters.get('X-Amz-SignedHeaders')?.split(';') ?? []
  return {
    ...(names.includes('content-type') && { 'content-type': contentType }),
    ...(names.includes('content-md5') && { 'content-md5': contentMd5 }),
  }
}

function requireNotExpired(parameters: Map<string, string>, now: Date): Date {
  const signedAt = parseBasicDate(parameters.get('X-Amz-Date') ?? '')
  if (!signedAt) throw mismatch()
  const age = now.getTime() - signedAt.getTime()
  const expected = parameters.get('X-Amz-Expires') === String(URL_LIFETIME_SECONDS)
  if (expected && age <= URL_LIFETIME_SECONDS * 1000 && age >= -CLOCK_SKEW_MILLISECONDS) return signedAt
  throw linkExpired(signedAt, now)
}

const REQUEST_URL =
  'Request a new URL: from getReportDocument, getFeedDocument, createFeedDocument or createUploadDestinationForResource.'

const notSigned = () =>
  new StorageError('AccessDenied', 'The URL is not signed.', {
    explain: afterDoing(REQUEST_URL, { 'X-Amz-Signature': null }),
  })

export const linkExpired = (signedAt?: Date, now?: Date) =>
  new StorageError(
    'AccessDenied',
    `The URL has expired: it is valid for ${URL_LIFETIME_SECONDS} seconds from when it was issued. Request a new one.`,
    {
      explain: () => ({
        rule: `A signed URL is valid for ${URL_LIFETIME_SECONDS} seconds, by the clock of the marketplace.`,
        facts: { signedAt: signedAt ?? null, now: now ?? null },
        change: { first: REQUEST_URL },
      }),
    },
  )

/** No parameter may be missing or added, even if the signature does not cover it. */
function isSameQuery(given: Map<string, string>, expected: Record<string, string>): boolean {
  const names = Object.keys(expected)
  return given.size === names.length && names.every((name) => isSame(given.get(name), expected[name]))
}

/** Compares in constant time. */
function isSame(given = '', expected = ''): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}

const mismatch = () =>
  new StorageError(
    'SignatureDoesNotMatch',
    'The signature does not match: use the URL unchanged, with the method and, for uploads, the headers it was signed for.',
    { explain: afterDoing(REQUEST_URL, { wasSignedForThisRequest: false }) },
  )
