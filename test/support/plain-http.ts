import { expect } from 'vitest'
import type { FaultRule, FaultSettings, Souk } from '../../src/index.ts'
import { NOTIFICATIONS } from './souk.ts'

/** A marketplace by its addresses and credentials only, as tests in other languages have it. */
export class PlainHttp {
  readonly #souk: Pick<Souk, 'url' | 'queueUrl' | 'demo'>
  #token = ''

  constructor(souk: Pick<Souk, 'url' | 'queueUrl' | 'demo'>) {
    this.#souk = souk
  }

  get demo() {
    return this.#souk.demo
  }

  get queueUrl() {
    return this.#souk.queueUrl
  }

  /** Sends a request to the control plane and returns the body of a successful response. */
  async control<Result = Record<string, unknown>>(method: string, path: string, body?: object): Promise<Result> {
    const response = await this.#send(method, `/_souk/${path}`, body)
    const text = await response.text()
    expect(response.ok, text).toBe(true)
    return text === '' ? (undefined as Result) : JSON.parse(text)
  }

  addFault = (settings: FaultSettings) => this.control<FaultRule>('POST', 'faults', settings)

  /** Resolves when no background work is due. */
  async idle(): Promise<void> {
    await (await fetch(`${this.#souk.url}/_souk/progress?until=idle`)).text()
  }

  advance = (advanceSeconds: number) => this.control('POST', 'clock', { advanceSeconds, keepTokens: true })

  /** Default: a token of the demo seller. */
  requestToken(grant: Record<string, string> = this.#sellerGrant): Promise<Response> {
    const { clientId: client_id, clientSecret: client_secret } = this.demo
    const body = new URLSearchParams({ ...grant, client_id, client_secret })
    return fetch(`${this.#souk.url}/auth/o2/token`, { method: 'POST', body })
  }

  async newToken(grant?: Record<string, string>): Promise<string> {
    return ((await (await this.requestToken(grant)).json()) as { access_token: string }).access_token
  }

  get #sellerGrant() {
    return { grant_type: 'refresh_token', refresh_token: this.demo.refreshToken }
  }

  grantlessToken = () => this.newToken({ grant_type: 'client_credentials', scope: NOTIFICATIONS })

  /** Calls the API as the demo seller, or with the token. */
  async api(method: string, path: string, { body, token }: { body?: object; token?: string } = {}): Promise<Response> {
    this.#token ||= await this.newToken()
    return this.#send(method, path, body, { 'x-amz-access-token': token ?? this.#token })
  }

  async json<Result = Record<string, string>>(...request: Parameters<PlainHttp['api']>): Promise<Result> {
    const response = await this.api(...request)
    const text = await response.text()
    expect(response.ok, text).toBe(true)
    return JSON.parse(text)
  }

  #send(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(this.#souk.url + path, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
  }
}
