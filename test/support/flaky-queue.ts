import { hash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Silent: accepts messages and does not respond. */
export type QueueMode = 'well' | 'silent' | 'broken' | 'denied' | 'throttling' | 'half' | 'hanging' | 'picky'

interface Entry {
  Id: string
  MessageBody: string
}

/**
 * A queue service that can fail in several ways. It accepts messages as SQS does and keeps all of them, so that a test
 * can check what arrived, how often and in which order.
 */
export class FlakyQueue {
  readonly received: { queue: string; body: string }[] = []
  /** By queue name; other queues work. */
  readonly moods = new Map<string, QueueMode>()
  requests = 0
  onReceived: (() => void) | undefined
  #server: Server | undefined
  #port = 0

  /** Opens the port, always the same. */
  async open(): Promise<string> {
    const server = createServer(async (request, response) => {
      const { status, body } = this.#respond(await read(request))
      if (status === 0) return
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body))
    })
    this.#server = server
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve))
    this.#port = (server.address() as AddressInfo).port
    return `http://127.0.0.1:${this.#port}`
  }

  /** From now on connections are refused. */
  async close(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    server?.closeAllConnections()
    await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)))
  }

  bodies(queue: string): Record<string, unknown>[] {
    return this.received.filter((one) => one.queue === queue).map(({ body }) => JSON.parse(body))
  }

  #respond({ QueueUrl = '', Entries = [] }: { QueueUrl?: string; Entries?: Entry[] }) {
    this.requests++
    const queue = QueueUrl.split('/').at(-1) ?? ''
    const mood = this.moods.get(queue) ?? 'well'
    if (mood === 'hanging') return { status: 0, body: {} }
    if (mood === 'broken') return { status: 500, body: { __type: 'com.amazonaws.sqs#InternalError' } }
    if (mood === 'denied') return { status: 403, body: denialOf(queue) }
    if (mood === 'throttling') return { status: 400, body: { __type: 'com.amazonaws.sqs#RequestThrottled' } }
    // Accepts half of a batch, or all but the permanently invalid messages.
    const isTaken = (entry: Entry, index: number) => {
      if (mood === 'half') return index % 2 === 0
      return mood !== 'picky' || !entry.MessageBody.includes('PICK-ME-NOT')
    }
    const taken = Entries.filter(isTaken)
    this.received.push(...taken.map(({ MessageBody }) => ({ queue, body: MessageBody })))
    if (taken.length > 0) this.onReceived?.()
    if (mood === 'silent') return { status: 0, body: {} }
    const Failed = Entries.filter((entry) => !taken.includes(entry)).map(({ Id }) => ({
      Id,
      SenderFault: mood === 'picky',
      Code: mood === 'picky' ? 'InvalidMessageContents' : 'InternalError',
      Message: 'Not today',
    }))
    return {
      status: 200,
      body: {
        Successful: taken.map(({ Id, MessageBody }) => ({
          Id,
          MessageId: Id,
          MD5OfMessageBody: hash('md5', MessageBody, 'hex'),
        })),
        Failed,
      },
    }
  }
}

async function read(request: IncomingMessage): Promise<{ QueueUrl?: string; Entries?: Entry[] }> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString() || '{}')
}

/** As the real service words it: with the names of the sender and of the queue. */
const denialOf = (queue: string) => ({
  __type: 'com.amazonaws.sqs#AccessDenied',
  message: `User: arn:aws:iam::999999999999:user/souk is not authorized to perform: sqs:sendmessage on resource: arn:aws:sqs:us-east-1:123456789012:${queue}`,
})
