import { createHash, timingSafeEqual } from 'node:crypto'
import { SignatureV4 } from '@smithy/signature-v4'
import { afterDoing, type Explanation } from '../errors/explanation.ts'
import { parseBasicDate } from './basic-date.ts'
import { denied } from './caller.ts'
import { NodeSha256 } from './node-sha256.ts'

/** What of a request its AWS Signature Version 4 covers. */
export interface SignedRequest {
  method: string
  /** As received, still percent-encoded. */
  path: string
  query: Record<string, string | string[]>
  headers: Record<string, string | string[] | undefined>
  body: string | Uint8Array
}

export interface SignatureClaim {
  accessKeyId: string
  region: string
  signedHeaders: string[]
  signature: string
  signedAt: Date
}

const SERVICE = 'execute-api'
const CLOCK_SKEW_MILLISECONDS = 5 * 60 * 1000
const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([\w-]+)\/(\d{8})\/([\w-]+)\/([\w-]+)\/aws4_request, ?SignedHeaders=([\w;-]+), ?Signature=([0-9a-f]{64})$/

/** What the rule looked at is never secret: the key id and the names of what was signed. */
export const notSigned = (details: string, facts: Explanation['facts']) =>
  denied(
    details,
    undefined,
    afterDoing(
      `Sign it again with AWS Signature Version 4: service ${SERVICE}, a key of the application, the current time in x-amz-date, and the header host among those that are signed.`,
      facts,
    ),
  )

/** Reads what the request says of its signature; throws when it says nothing that could be verified. */
export function parseSignature(headers: SignedRequest['headers'], now: Date): SignatureClaim {
  const authorization = headers.authorization
  if (typeof authorization !== 'string')
    throw notSigned('The request is not signed: the header Authorization is missing.', { authorization: null })
  const [, accessKeyId, day, region, service, signedHeaders, signature] = AUTHORIZATION.exec(authorization) ?? []
  if (!accessKeyId || !day || !region || !signedHeaders || !signature) {
    throw notSigned('The header Authorization is not an AWS Signature Version 4.', { isSignature: false })
  }
  if (service !== SERVICE) {
    throw notSigned(`The request is signed for the service ${service}, not for ${SERVICE}.`, {
      service,
      required: SERVICE,
    })
  }
  const date = headers['x-amz-date'] ?? headers['x-svc-date']
  const signedAt = typeof date === 'string' ? parseBasicDate(date) : undefined
  if (!signedAt) {
    throw notSigned('The header x-amz-date is missing or not of the form YYYYMMDDTHHMMSSZ.', {
      'x-amz-date': date ?? null,
    })
  }
  if (Math.abs(signedAt.getTime() - now.getTime()) > CLOCK_SKEW_MILLISECONDS || !String(date).startsWith(day)) {
    throw notSigned('The signature has expired or was made for another time.', { signedAt, day, now })
  }
  const names = signedHeaders.split(';')
  if (!names.includes('host'))
    throw notSigned('The signature does not cover the header host.', { signedHeaders: names })
  return { accessKeyId, region, signedHeaders: names, signature, signedAt }
}

/** Throws unless one of the secret keys gives the signature that the request carries. */
export async function verifySignature(
  request: SignedRequest,
  claim: SignatureClaim,
  secretKeys: readonly string[],
): Promise<void> {
  const statedHash = request.headers['x-amz-content-sha256']
  if (statedHash !== undefined && statedHash !== createHash('sha256').update(request.body).digest('hex')) {
    throw notSigned('The header x-amz-content-sha256 does not match the body.', { 'x-amz-content-sha256': statedHash })
  }
  for (const secretKey of secretKeys) {
    const expected = await signatureOf(request, claim, secretKey)
    if (expected && timingSafeEqual(Buffer.from(expected), Buffer.from(claim.signature))) return
  }
  const { accessKeyId, region, signedHeaders, signedAt } = claim
  throw notSigned('The signature does not match the request.', { accessKeyId, region, signedHeaders, signedAt })
}

async function signatureOf(
  request: SignedRequest,
  claim: SignatureClaim,
  secretKey: string,
): Promise<string | undefined> {
  const signer = new SignatureV4({
    credentials: { accessKeyId: claim.accessKeyId, secretAccessKey: secretKey },
    region: claim.region,
    service: SERVICE,
    sha256: NodeSha256,
    applyChecksum: false,
  })
  const signed = await signer.sign(
    {
      method: request.method,
      protocol: 'https:',
      hostname: '',
      path: request.path,
      query: request.query,
      headers: Object.fromEntries(claim.signedHeaders.map((name) => [name, String(request.headers[name] ?? '')])),
      body: request.body,
    },
    { signingDate: claim.signedAt, signableHeaders: new Set(claim.signedHeaders) },
  )
  return /Signature=(\w+)$/.exec(signed.headers.authorization ?? '')?.[1]
}
