import { demo } from '../../src/dev/demo/index.ts'

/** A response of the service that the bare server can repeat. */
export interface HttpResponse {
  status: number
  headers: Record<string, string>
  body: string
}

export const TOKEN_PATH = '/auth/o2/token'

/** The form with which the demo application requests a token of the demo seller, or of the other one. */
export const tokenForm = (refreshToken = demo.refreshToken) =>
  new URLSearchParams({
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    client_id: demo.clientId,
    client_secret: demo.clientSecret,
  })

export const grantToken = (url: string, refreshToken?: string): Promise<HttpResponse> =>
  ask(url + TOKEN_PATH, { method: 'POST', body: tokenForm(refreshToken) })

export async function fetchToken(url: string, refreshToken?: string): Promise<string> {
  const { body } = await grantToken(url, refreshToken)
  return (JSON.parse(body) as { access_token: string }).access_token
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
