import { gunzipSync } from 'node:zlib'
import type { InjectOptions } from 'fastify'
import { expect } from 'vitest'
import type { TestRequest, TestSouk } from './souk.ts'

export const US = 'ATVPDKIKX0DER'
export const DE = 'A1PA6795UKMFR9'
export const JP = 'A1VC38T7YXB528'

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** A seller's client. Renews expired tokens. */
export class SellerClient {
  readonly souk: TestSouk
  readonly #refreshToken: string
  #token = ''
  #tokenEnds = 0

  constructor(souk: TestSouk, refreshToken: string = souk.demo.refreshToken) {
    this.souk = souk
    this.#refreshToken = refreshToken
  }

  async token(): Promise<string> {
    const now = this.souk.clock.now().getTime()
    if (now >= this.#tokenEnds) {
      this.#token = await this.souk.tokenFor(this.#refreshToken)
      // Repeated requests return the same token for ten seconds.
      this.#tokenEnds = now + HOUR - 10 * SECOND
    }
    return this.#token
  }

  async send(method: InjectOptions['method'], path: string, request: TestRequest = {}) {
    return this.souk.send(method, path, { token: await this.token(), ...request })
  }

  get = (path: string, request?: TestRequest) => this.send('GET', path, request)
  delete = (path: string) => this.send('DELETE', path)
  post = (path: string, payload: unknown) => this.send('POST', path, { payload: payload as object })
}

export async function download(url: string): Promise<string> {
  const response = await fetch(url)
  expect(response.status).toBe(200)
  return gunzipSync(await response.arrayBuffer()).toString()
}

/** Sends resources to the operator API. */
export async function putResources(souk: TestSouk, plural: string, resources: unknown[]) {
  const response = await souk.put(`/operator/v1/${plural}`, {
    headers: souk.operator,
    payload: { [plural]: resources },
  })
  expect(response.statusCode, response.body).toBe(200)
  return response.json()[plural]
}

/** Creates a seller without orders in these marketplaces and returns their refresh token. */
export async function registerSeller(souk: TestSouk, sellerId: string, marketplaceIds = [US]): Promise<string> {
  await putResources(souk, 'sellers', [buildSeller(sellerId, marketplaceIds)])
  const { applicationId } = souk.demo
  const [{ refreshToken }] = await putResources(souk, 'authorizations', [{ sellerId, applicationId }])
  return refreshToken
}

/** A seller in the format of the operator API. */
export const buildSeller = (sellerId: string, marketplaceIds: readonly string[]) => ({
  sellerId,
  businessType: 'SOLE_PROPRIETORSHIP',
  sellingPlan: 'INDIVIDUAL',
  participations: marketplaceIds.map((marketplaceId) => ({
    marketplaceId,
    storeName: 'A stall',
    isParticipating: true,
    hasSuspendedListings: false,
  })),
})
