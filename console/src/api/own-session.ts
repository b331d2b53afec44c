/** What a developer, who does not sign in, sends instead of a token. */
const NO_TOKEN = '1'
const CONSOLE_HEADER = 'x-souk-console'
const SESSION_URL = '/console/v1/session'

interface OwnSession {
  csrfToken?: string | undefined
  role: string
  accountName?: string | undefined
}

let token = NO_TOKEN
let user: string | undefined

/** Remembers the token of the session, which proves that a request comes from this page. */
export function rememberSession(session: OwnSession): void {
  token = session.csrfToken ?? NO_TOKEN
  user = userOf(session)
}

export const tokenHeader = (): Record<string, string> => ({ [CONSOLE_HEADER]: token })

/**
 * A new sign-in in another tab replaces the session of the browser, and with it the token that requests must have. The
 * same user goes on with the new token; another user must not finish what this one began, so the page starts again.
 */
export async function fetchInSession(request: Request): Promise<Response> {
  const again = request.clone()
  const response = await fetch(request)
  if (response.status !== 403 || token === NO_TOKEN) return response
  const session = await readSession()
  if (!session || session.csrfToken === request.headers.get(CONSOLE_HEADER)) return response
  if (userOf(session) !== user) {
    location.reload()
    return response
  }
  rememberSession(session)
  again.headers.set(CONSOLE_HEADER, token)
  return fetch(again)
}

async function readSession(): Promise<OwnSession | undefined> {
  try {
    const response = await fetch(SESSION_URL)
    return response.ok ? await response.json() : undefined
  } catch {
    return undefined
  }
}

const userOf = ({ role, accountName }: OwnSession) => JSON.stringify([role, accountName])
