import { createHmac, createSecretKey, hash, type KeyObject, subtle } from 'node:crypto'

const ALGORITHM = 'AWS4-HMAC-SHA256'
/** The digest of a longer body takes more time than to have another thread compute it. */
const LONG_BODY_BYTES = 16 * 1024
/** What proxies may change, and the SDK does not sign either. */
const UNSIGNED = new Set([
  'connection',
  'expect',
  'te',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'x-amzn-trace-id',
])

export interface SigningCredentials {
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string | undefined
}

/** A request without a query. The names of headers are in lower case. */
export interface UnsignedRequest {
  method: string
  path: string
  headers: Readonly<Record<string, string>>
  body: Buffer
}

/**
 * Signs requests to one service of AWS in one region (Signature Version 4). The signer of the SDK looks for its key with
 * a digest of the credentials for each request, and hashes with objects that cost more than the digest of a short text.
 */
export class RequestSigner {
  readonly #scope: string
  #key: { secret: string; day: string; value: KeyObject } | undefined

  constructor({ service, region }: { service: string; region: string }) {
    this.#scope = `${region}/${service}/aws4_request`
  }

  /** Returns the headers of the signed request. */
  async sign(
    { method, path, headers, body }: UnsignedRequest,
    by: SigningCredentials,
    date: Date,
  ): Promise<Record<string, string>> {
    const time = date.toISOString().replace(/[-:]|\.\d+/g, '')
    const day = time.slice(0, 8)
    const digest = await digestOf(body)
    const signed: Record<string, string> = { ...headers, 'x-amz-content-sha256': digest, 'x-amz-date': time }
    if (by.sessionToken !== undefined) signed['x-amz-security-token'] = by.sessionToken
    const names = Object.keys(signed)
      .filter((name) => !UNSIGNED.has(name))
      .sort()
    const list = names.join(';')
    const lines = names.map((name) => `${name}:${(signed[name] as string).trim().replace(/[ \t]+/g, ' ')}\n`)
    const canonical = `${method}\n${canonicalPath(path)}\n\n${lines.join('')}\n${list}\n${digest}`
    const scope = `${day}/${this.#scope}`
    const text = `${ALGORITHM}\n${time}\n${scope}\n${hash('sha256', canonical, 'hex')}`
    const signature = hmac(this.#keyOf(by.secretAccessKey, day), text).toString('hex')
    signed.authorization = `${ALGORITHM} Credential=${by.accessKeyId}/${scope}, SignedHeaders=${list}, Signature=${signature}`
    return signed
  }

  #keyOf(secret: string, day: string): KeyObject {
    if (this.#key?.secret !== secret || this.#key.day !== day) {
      const parts = [day, ...this.#scope.split('/')]
      // A key in bytes costs five times as much: Node.js throws and catches an error to see that it is no key object.
      const start = createSecretKey(Buffer.from(`AWS4${secret}`))
      const value = parts.reduce((key, part) => createSecretKey(hmac(key, part)), start)
      this.#key = { secret, day, value }
    }
    return this.#key.value
  }
}

const digestOf = async (body: Buffer): Promise<string> =>
  body.length < LONG_BODY_BYTES
    ? hash('sha256', body, 'hex')
    : Buffer.from(await subtle.digest('SHA-256', body)).toString('hex')

const hmac = (key: KeyObject, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** The path of a request is encoded already, and encoded again in a signature. */
function canonicalPath(path: string): string {
  if (path === '/') return path
  const segments: string[] = []
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(encode(segment))
  }
  return `/${segments.join('/')}${segments.length > 0 && path.endsWith('/') ? '/' : ''}`
}

const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
