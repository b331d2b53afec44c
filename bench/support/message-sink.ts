// A queue service that accepts and forgets messages, in its own process: its work is not part of what is measured.
import { hash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

let received = 0

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { Entries } = JSON.parse(Buffer.concat(chunks).toString()) as { Entries: { Id: string; MessageBody: string }[] }
  received += Entries.length
  const Successful = Entries.map(({ Id, MessageBody }) => ({
    Id,
    MessageId: Id,
    MD5OfMessageBody: hash('md5', MessageBody, 'hex'),
  }))
  response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify({ Successful }))
})
// A worker would fail if it used a connection at the moment of its end.
server.keepAliveTimeout = 60_000
const listening = new Promise<string>((resolve) => {
  server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
})
process.on('message', async () => process.send?.({ url: await listening, received }))
