// A queue service that accepts and forgets messages, in its own process: its work is not part of what is measured. It takes
// little, because the workers and PostgreSQL that are measured may have no other cores.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

// A body has no such text: its quotes have backslashes.
const ID = /"Id":"([^"]+)"/g
let received = 0

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.once('end', () => {
    const ids = Array.from(Buffer.concat(chunks).toString('latin1').matchAll(ID), ([, id]) => id)
    received += ids.length
    // Souk does not ask for the digest of a body.
    const Successful = ids.map((Id) => ({ Id, MessageId: Id }))
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify({ Successful }))
  })
})
// A worker would fail if it used a connection at the moment of its end.
server.keepAliveTimeout = 60_000
const listening = new Promise<string>((resolve) => {
  server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
})
process.on('message', async () => process.send?.({ url: await listening, received }))
