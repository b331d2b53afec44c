import { demo } from '../../src/dev/demo/index.ts'

/** A response of the service that the bare server can repeat. */
export interface HttpResponse {
  status: number
  headers: Record<string, string>
  body: string
}

/** A token of the demo seller, or of the other one. */
export async function fetchToken(url: string, refreshToken = demo.refreshToken): Promise<string> {
  const response = await fetch(`${url}/auth/o2/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      client_id: demo.clientId,
      client_secret: demo.clientSecret,
    }),
  })
  if (!response.ok) throw new Error(`No token: ${response.status} ${await response.text()}`)
  const { access_token } = (await response.json()) as { access_token: string }
  return access_token
}

export const fetchResponse = (url: string, path: string, token: string): Promise<HttpResponse> =>
  ask(url + path, { headers: { 'x-amz-access-token': token } })

export const postForResponse = (url: string, path: string, token: string, body: string): Promise<HttpResponse> =>
  ask(url + path, {
    method: 'POST',
    headers: { 'x-amz-access-token': token, 'content-type': 'application/json' },
    body,
  })

async function ask(address: string, request: RequestInit): Promise<HttpResponse> {
  const response = await fetch(address, request)
  const body = await response.text()
  if (!response.ok) throw new Error(`${address}: ${response.status} ${body}`)
  // These are for each server to say of its own connection.
  const { date, connection, 'keep-alive': keepAlive, ...headers } = Object.fromEntries(response.headers)
  return { status: response.status, headers, body }
}
