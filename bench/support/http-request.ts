/** The bytes of a request of the demo seller. */
export function writeRequest(method: string, url: string, path: string, token: string, body = ''): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, `host: ${new URL(url).host}`, `x-amz-access-token: ${token}`]
  if (body) lines.push('content-type: application/json')
  if (method !== 'GET') lines.push(`content-length: ${Buffer.byteLength(body)}`)
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`)
}
