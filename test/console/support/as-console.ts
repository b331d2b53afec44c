import type { BrowserContextOptions } from 'playwright-core'
import { expect } from 'vitest'
import type { Souk } from '../../../src/index.ts'

/** Sends a request as the console of a developer does. */
export async function sendAsConsole(
  { url, demo }: Souk,
  method: string,
  path: string,
  body?: object,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      'x-souk-console': '1',
      'x-souk-seller': demo.sellerId,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  expect(response.ok, text).toBe(true)
  return JSON.parse(text)
}

/** A browser in which the demo seller is selected. */
export function withSelection({ url, demo }: Souk, marketplaceId = demo.marketplaceId): BrowserContextOptions {
  const selection = { sellerId: demo.sellerId, marketplaceId }
  const localStorage = [{ name: 'souk-selection', value: JSON.stringify(selection) }]
  return { storageState: { cookies: [], origins: [{ origin: new URL(url).origin, localStorage }] } }
}
