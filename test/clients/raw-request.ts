import { type IncomingHttpHeaders, request } from 'node:http'

export interface Answer {
  status: number | undefined
  headers: IncomingHttpHeaders
  body: Record<string, unknown>
}

/** Sends exactly these headers, which fetch would not: it forbids Host, and adds an Accept of its own. */
export function sendRaw(url: string, method: string, headers: Record<string, string> = {}, body = ''): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length: Record<string, string> = method === 'GET' ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const call = request(url, { method, headers: { ...length, ...headers } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        resolve({ status: response.statusCode, headers: response.headers, body: JSON.parse(text) })
      })
    })
    call.on('error', reject)
    call.end(body)
  })
}
