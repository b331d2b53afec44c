import { afterEach, expect, test, vi } from 'vitest'
import { fetchInSession, rememberSession, tokenHeader } from './own-session.ts'

afterEach(() => vi.unstubAllGlobals())

const owner = { role: 'seller', accountName: 'owner' }

/** A service whose session has the given user and token. Requests with another token get 403, or all of them. */
function stubService(session: { role: string; accountName?: string; csrfToken: string }, refusesAll = false) {
  const reload = vi.fn()
  const bodies: string[] = []
  vi.stubGlobal('location', { reload })
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return Response.json(session)
    bodies.push(await request.text())
    const isValid = request.headers.get('x-souk-console') === session.csrfToken
    return new Response('', { status: isValid && !refusesAll ? 200 : 403 })
  })
  return { reload, bodies }
}

const send = () =>
  fetchInSession(new Request('http://souk.test/x', { method: 'POST', headers: tokenHeader(), body: 'content' }))

test('a user who signed in again in another tab goes on', async () => {
  const { reload, bodies } = stubService({ ...owner, csrfToken: 'new' })
  rememberSession({ ...owner, csrfToken: 'old' })
  expect((await send()).status).toBe(200)
  expect((await send()).status).toBe(200)
  expect(bodies).toEqual(['content', 'content', 'content'])
  expect(reload).not.toHaveBeenCalled()
})

test('what one user began is not sent for another who has signed in since', async () => {
  const { reload, bodies } = stubService({ role: 'operator', csrfToken: 'new' })
  rememberSession({ ...owner, csrfToken: 'old' })
  expect((await send()).status).toBe(403)
  expect(bodies).toHaveLength(1)
  expect(reload).toHaveBeenCalledOnce()
})

test('a request that the session may not send is sent once', async () => {
  const { bodies } = stubService({ ...owner, csrfToken: 'same' }, true)
  rememberSession({ ...owner, csrfToken: 'same' })
  expect((await send()).status).toBe(403)
  expect(bodies).toHaveLength(1)
})
