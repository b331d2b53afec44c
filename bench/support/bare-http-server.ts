// Run as a child process: is told an answer, tells its address, and gives that answer to every request.
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
    // A body is read before it is answered, as the service does.
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.once('end', answer)
  })
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo
    process.send?.(`http://127.0.0.1:${port}`)
  })
})
