import type { TestSouk } from './souk.ts'

export const PASSWORD = 'correct horse battery'

export interface Browser {
  /** With the cookie and the CSRF token of the session, unless the headers say otherwise. */
  send: TestSouk['send']
  get: TestSouk['get']
  cookie: string
  csrfToken: string
}

/** Creates an account of the console. */
export async function createAccount(souk: TestSouk, name: string, sellerId?: string) {
  const payload = { name, password: PASSWORD, ...(sellerId ? { role: 'seller', sellerId } : { role: 'operator' }) }
  return souk.post('/operator/v1/consoleAccounts', { headers: souk.operator, payload })
}

export const signIn = (souk: TestSouk, payload: object, headers: Record<string, string> = {}, remoteAddress?: string) =>
  souk.post('/console/v1/session', {
    headers: { 'x-souk-console': '1', ...headers },
    payload,
    ...(remoteAddress && { remoteAddress }),
  })

export const cookieOf = (response: { headers: Record<string, unknown> }): string =>
  String(response.headers['set-cookie']).split(';')[0] as string

/** A browser in which a user is signed in. */
export async function openBrowser(souk: TestSouk, credentials: object): Promise<Browser> {
  const response = await signIn(souk, credentials)
  if (response.statusCode !== 200) throw new Error(response.body)
  const { csrfToken } = response.json()
  const cookie = cookieOf(response)
  const send: Browser['send'] = (method, path, { headers, ...request } = {}) =>
    souk.send(method, path, { ...request, headers: { cookie, 'x-souk-console': csrfToken, ...headers } })
  return { send, get: (path, request) => send('GET', path, request), cookie, csrfToken }
}
