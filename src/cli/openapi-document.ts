import { CONTROL_PLANE_DOCUMENT } from '../http/openapi.ts'
import { startStandIn } from '../stand-in/stand-in.ts'

const URLS = { api: '/docs/try/json', controlPlane: CONTROL_PLANE_DOCUMENT }

/** The OpenAPI document of the API, or that of the control plane, made from the routes themselves. */
export async function openApiDocument(of: keyof typeof URLS = 'api'): Promise<string> {
  const souk = await startStandIn({ demo: false })
  try {
    const document = (await souk.inject({ url: URLS[of] })).json()
    return `${JSON.stringify(document, null, 2)}\n`
  } finally {
    await souk.stop()
  }
}
