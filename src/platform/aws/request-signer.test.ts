import { SignatureV4 } from '@smithy/signature-v4'
import { expect, test } from 'vitest'
import { NodeSha256 } from '../auth/node-sha256.ts'
import { RequestSigner, type SigningCredentials, type UnsignedRequest } from './request-signer.ts'

const REGION = 'eu-west-1'
const KEY: SigningCredentials = { accessKeyId: 'AKIATEST', secretAccessKey: 'a secret' }
const TEMPORARY: SigningCredentials = { ...KEY, secretAccessKey: 'another secret', sessionToken: 'token' }
const DATE = new Date('2026-06-01T12:00:00.123Z')
const NEXT_DAY = new Date('2026-06-02T00:00:00.000Z')

const request = (changes: Partial<UnsignedRequest> = {}): UnsignedRequest => ({
  method: 'POST',
  path: '/',
  headers: { host: 'sqs.eu-west-1.amazonaws.com', 'content-type': 'application/x-amz-json-1.0' },
  body: Buffer.from('{"a":1}'),
  ...changes,
})

/** What the SDK signs. */
async function signedBySdk(unsigned: UnsignedRequest, credentials: SigningCredentials, signingDate: Date) {
  const signer = new SignatureV4({
    service: 'sqs',
    region: REGION,
    credentials: identity(credentials),
    sha256: NodeSha256,
  })
  const { headers } = await signer.sign({ protocol: 'https:', hostname: 'localhost', ...unsigned }, { signingDate })
  return headers
}

const identity = ({ sessionToken, ...key }: SigningCredentials) => ({ ...key, ...(sessionToken && { sessionToken }) })

test('a request has the same signature as one that the SDK signs', async () => {
  const signer = new RequestSigner({ service: 'sqs', region: REGION })
  const requests = [
    request(),
    request({ body: Buffer.alloc(100_000, '漢') }),
    request({ headers: { host: 'h', 'user-agent': 'souk', 'x-amz-target': ' A  target\t of ' } }),
    ...['/queues', '/queues/', '/a/../b/./c//d/', '/a%20b/(c)*', '/'].map((path) => request({ path })),
  ]
  for (const one of requests) expect(await signer.sign(one, KEY, DATE)).toEqual(await signedBySdk(one, KEY, DATE))
})

test('a signature follows the day and the credentials', async () => {
  const signer = new RequestSigner({ service: 'sqs', region: REGION })
  for (const date of [DATE, NEXT_DAY, DATE]) {
    for (const credentials of [KEY, TEMPORARY]) {
      const { authorization } = await signedBySdk(request(), credentials, date)
      expect(await signer.sign(request(), credentials, date)).toMatchObject({ authorization })
    }
  }
})
