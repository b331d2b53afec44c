// Run as a child process: receives a response, sends its URL, and returns that response to every request.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { HttpResponse } from './demo-client.ts'

process.once('disconnect', () => process.exit())
process.once('message', ({ status, headers, body }: HttpResponse) => {
  const server = createServer((request, response) => {
    const answer = () => {
      response.writeHead(status, headers)
      response.end(body)
    }
    if (request.method === 'GET') return answer()
    // Reads the body before it responds, as the service does.
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.once('end', answer)
  })
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo
    process.send?.(`http://127.0.0.1:${port}`)
  })
})
