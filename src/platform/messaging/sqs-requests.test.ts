import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SignatureV4 } from '@smithy/signature-v4'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { parseBasicDate } from '../auth/basic-date.ts'
import { NodeSha256 } from '../auth/node-sha256.ts'
import { UnavailableError } from '../errors/unavailable-error.ts'
import type { Message } from './port.ts'
import { SqsMessenger } from './sqs-messenger.ts'

const credentials = { accessKeyId: 'AKIATEST', secretAccessKey: 'secret', sessionToken: 'token' }
const target = { kind: 'sqs' as const, arn: 'arn:aws:sqs:eu-west-1:123456789012:queue' }
// Which it adds to each request, and Souk does not.
const HEADER_OF_SDK = 'amz-sdk-invocation-id'
const message = (id: string): Message => ({ id, type: 'T', source: 's', time: new Date(0), body: `{"id":"${id}"}` })

interface Received {
  headers: IncomingHttpHeaders
  path: string
  body: string
}

describe('requests to SQS after the first', () => {
  let server: Server
  let messenger: SqsMessenger
  const received: Received[] = []
  let respond: (response: ServerResponse) => void
  const accept = (response: ServerResponse) => respondWith(response, 200, { Successful: idsOf(received.at(-1)) })

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      received.push({
        headers: request.headers,
        path: request.url as string,
        body: Buffer.concat(chunks).toString(),
      })
      respond(response)
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    messenger = new SqsMessenger({ endpoint, credentials })
  })
  afterAll(() => {
    messenger.close()
    server.close()
  })
  beforeEach(async () => {
    respond = accept
    await messenger.send(target, [message('first')])
    received.length = 0
  })

  test('have the same address and headers, their own body, and a valid signature', async () => {
    const [first, second] = [await send('a'), await send('b')]
    expect(JSON.parse(second.body).Entries).toEqual([{ Id: 'b', MessageBody: '{"id":"b"}' }])
    expect(second.path).toBe(first.path)
    for (const name of ['host', 'content-type', 'x-amz-target', 'user-agent', 'x-amz-security-token']) {
      expect(second.headers[name]).toBe(first.headers[name])
    }
    expect(second.headers.authorization).toBe(await signatureOf(second))
  })

  test('report the messages that were rejected', async () => {
    const failed = { Id: 'bad', Code: 'InvalidMessageContents', Message: 'Invalid', SenderFault: true }
    respond = (response) => respondWith(response, 200, { Successful: [{ Id: 'good' }], Failed: [failed] })
    expect(await messenger.send(target, [message('good'), message('bad')])).toEqual([
      { id: 'bad', reason: 'InvalidMessageContents: Invalid', isPermanent: true },
    ])
    expect(received).toHaveLength(1)
  })

  test('fail with the error of the service, and are sent without a failure afterwards', async () => {
    respond = (response) =>
      respondWith(response, 400, { __type: 'com.amazonaws.sqs#QueueDoesNotExist', message: 'There is no queue' })
    await expect(messenger.send(target, [message('lost')])).rejects.toThrow('There is no queue')
    respond = (response) => respondWith(response, 503, {})
    await expect(messenger.send(target, [message('lost')])).rejects.toThrow(UnavailableError)
    respond = accept
    expect(await messenger.send(target, [message('later')])).toEqual([])
  })

  test('are sent once if they are refused, and those to other queues stay as they were', async () => {
    respond = (response) => respondWith(response, 400, { __type: 'com.amazonaws.sqs#QueueDoesNotExist' })
    await expect(messenger.send(target, [message('lost')])).rejects.toThrow()
    respond = (response) => respondWith(response, 503, {})
    await expect(messenger.send(target, [message('lost')])).rejects.toThrow()
    expect(received).toHaveLength(2)
    respond = accept
    expect((await send('other')).headers).not.toHaveProperty(HEADER_OF_SDK)
  })

  test('have the time of the service after it has refused that of a wrong clock', async () => {
    const hour = 3_600_000
    const serviceTime = Date.now() + hour
    respond = (response) => {
      response.setHeader('date', new Date(serviceTime).toUTCString())
      respondWith(response, 403, { __type: 'com.amazon.coral.service#RequestTimeTooSkewed', message: 'Skewed' })
    }
    await expect(messenger.send(target, [message('late')])).rejects.toThrow('Skewed')
    respond = accept
    const { headers } = await send('next')
    const signedAt = parseBasicDate(String(headers['x-amz-date'])) as Date
    expect(Math.abs(signedAt.getTime() - serviceTime)).toBeLessThan(hour / 2)
  })

  test('that a proxy responds to are not accepted', async () => {
    respond = (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
    await expect(messenger.send(target, [message('lost')])).rejects.toThrow()
    respond = accept
    await send('next')
    respond = (response) => respondWith(response, 200, {})
    expect(await messenger.send(target, [message('lost')])).toMatchObject([{ id: 'lost', isPermanent: false }])
  })

  async function send(id: string): Promise<Received> {
    expect(await messenger.send(target, [message(id)])).toEqual([])
    return received.at(-1) as Received
  }
})

const idsOf = (request?: Received): { Id: string }[] => JSON.parse(request?.body ?? '{}').Entries

const respondWith = (response: ServerResponse, status: number, body: object) =>
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body))

/** Signs the request again, with the headers that its signature names. */
async function signatureOf({ headers, path, body }: Received): Promise<string | undefined> {
  const names = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '')?.[1]?.split(';') ?? []
  const signer = new SignatureV4({ service: 'sqs', region: 'eu-west-1', credentials, sha256: NodeSha256 })
  const signed = await signer.sign(
    {
      method: 'POST',
      protocol: 'http:',
      hostname: '127.0.0.1',
      path,
      headers: Object.fromEntries(names.map((name) => [name, String(headers[name])])),
      body,
    },
    { signingDate: parseBasicDate(String(headers['x-amz-date'])) as Date },
  )
  return signed.headers.authorization
}
