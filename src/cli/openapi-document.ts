import { startStandIn } from '../stand-in/stand-in.ts'

/** The OpenAPI document of everything that Souk serves, made from the routes themselves. */
export async function openApiDocument(): Promise<string> {
  await using souk = await startStandIn({ demo: false })
  const document = (await souk.inject({ url: '/docs/try/json' })).json()
  return `${JSON.stringify(document, null, 2)}\n`
}
