import createClient, { type Middleware } from 'openapi-fetch'
import { readFailure } from './failure.ts'
import type { paths as ControlPlanePaths } from './generated/control-plane.d.ts'
import type { paths as ServicePaths } from './generated/service.d.ts'
import { fetchInSession, tokenHeader } from './own-session.ts'
import { currentSelection } from './selection.ts'

/**
 * Names the selected seller. An act of several requests takes it once, at its start: it must not end for another seller
 * whom the viewer has selected meanwhile.
 */
export function sellerHeader(): Record<string, string> {
  const { sellerId } = currentSelection()
  return sellerId === undefined ? {} : { 'x-souk-seller': sellerId }
}

/** The headers by which the service knows a request of the console. */
export const consoleHeaders = (seller = sellerHeader()): Record<string, string> => ({ ...tokenHeader(), ...seller })

const asConsole: Middleware = {
  onRequest({ request }) {
    for (const [name, value] of Object.entries(consoleHeaders())) {
      if (!request.headers.has(name)) request.headers.set(name, value)
    }
  },
  async onResponse({ response }) {
    if (!response.ok) throw await readFailure(response)
  },
}

const options = {
  baseUrl: location.origin,
  fetch: fetchInSession,
  querySerializer: { array: { style: 'form', explode: false } },
} as const

/** The operations of sellers and of the operator. */
export const service = createClient<ServicePaths>(options)
/** The operations under `/_souk`, which only `souk dev` has. */
export const controlPlane = createClient<ControlPlanePaths>(options)
service.use(asConsole)
controlPlane.use(asConsole)

/** The body of a response that is a success. */
export async function bodyOf<Body>(request: Promise<{ data?: Body }>): Promise<NonNullable<Body>> {
  return (await request).data as NonNullable<Body>
}

/** The body of a merge patch (RFC 7396), of which the OpenAPI document says only that it is an object. */
export const mergePatch = (fields: object) => fields as Record<string, never>
