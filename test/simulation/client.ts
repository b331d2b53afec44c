import type { InjectOptions } from 'fastify'
import type { ManualClock } from '../../src/platform/clock/manual-clock.ts'
import type { History } from './history.ts'
import type { Instance } from './instance.ts'
import { type Marketplace, NOTIFICATIONS, OPERATOR_KEY } from './marketplace.ts'
import type { Scheduler } from './scheduler.ts'
import { isSkuOfAnother } from './steps.ts'

/** `lost`: the client does not know whether anything happened. */
export type Reply = { status: number; body: string; json: () => never } | 'lost'

export interface ClientDependencies {
  scheduler: Scheduler
  clock: ManualClock
  marketplace: Marketplace
  history: History
  random: () => number
  instances: () => readonly Instance[]
  violate(rule: string, details: string): void
}

interface Token {
  text: string
  /** Clients renew tokens early, and still meet expired ones when the clock jumps. */
  renewAt: number
}

const TOKEN_MILLISECONDS = 50 * 60 * 1000

export const isSuccess = (reply: Reply): reply is Exclude<Reply, 'lost'> =>
  reply !== 'lost' && reply.status >= 200 && reply.status < 300

/** Sends requests to any instance, and checks what is true of every response. */
export class Client {
  readonly #dependencies: ClientDependencies
  readonly #tokens = new Map<string, Token>()

  constructor(dependencies: ClientDependencies) {
    this.#dependencies = dependencies
  }

  /** As a seller. */
  async send(
    seller: number,
    method: InjectOptions['method'],
    url: string,
    payload?: InjectOptions['payload'],
  ): Promise<Reply> {
    const token = await this.sellerToken(seller)
    if (token === undefined) return { status: 401, body: 'The client got no token', json: noJson }
    return this.sendWith(seller, { 'x-amz-access-token': token }, method, url, payload)
  }

  /** As the operator, or as what buyers and others do. */
  act(actor: string, act: string, payload: object): Promise<Reply> {
    const headers = { authorization: `Bearer ${OPERATOR_KEY}` }
    return this.#exchange({ method: 'POST', url: `/operator/v1/acts/${actor}/${act}`, headers, payload }, undefined)
  }

  sendWith(
    seller: number | undefined,
    headers: Record<string, string>,
    method: InjectOptions['method'] = 'GET',
    url: string,
    payload?: InjectOptions['payload'],
  ): Promise<Reply> {
    return this.#exchange({ method, url, headers, ...(payload !== undefined && { payload }) }, seller)
  }

  sellerToken(seller: number): Promise<string | undefined> {
    const refresh_token = this.#dependencies.marketplace.sellers[seller]?.refreshToken
    return this.#token(`seller ${seller}`, { grant_type: 'refresh_token', refresh_token })
  }

  grantlessToken(): Promise<string | undefined> {
    return this.#token('grantless', { grant_type: 'client_credentials', scope: NOTIFICATIONS })
  }

  async #token(name: string, fields: object): Promise<string | undefined> {
    const { clock, marketplace } = this.#dependencies
    const known = this.#tokens.get(name)
    if (known && clock.now().getTime() < known.renewAt) return known.text
    const { clientId: client_id, clientSecret: client_secret } = marketplace
    const payload = { ...fields, client_id, client_secret }
    // The clock may jump before the response is here.
    const askedAt = clock.now().getTime()
    const reply = await this.#exchange({ method: 'POST', url: '/auth/o2/token', payload }, undefined)
    if (!isSuccess(reply)) return undefined
    const { access_token: text } = reply.json() as { access_token: string }
    this.#tokens.set(name, { text, renewAt: askedAt + TOKEN_MILLISECONDS })
    return text
  }

  async #exchange(request: InjectOptions, seller: number | undefined): Promise<Reply> {
    const { instances, random, violate, history } = this.#dependencies
    const ready = instances().filter(({ isReady }) => isReady)
    const instance = ready[Math.floor(random() * ready.length)]
    if (!instance) return { status: 0, body: 'No instance is ready', json: noJson }
    history.requests++
    const faults = instance.faults
    const response = await Promise.race([instance.edge.inject(request), instance.died])
    if (!response) return 'lost'
    const { statusCode: status, body } = response
    const what = `${request.method} ${request.url} returned ${status} ${body.slice(0, 300)}`
    if (status >= 500 && !(status === 503 && instance.faults > faults)) violate('no unexplained 5xx', what)
    if (seller !== undefined) {
      const asked = `${request.url} ${JSON.stringify(request.payload ?? '')}`
      const leaked = body.match(isSkuOfAnother(seller))?.find((sku) => !asked.includes(sku))
      if (leaked) violate('no seller sees data of another', `seller ${seller}, ${leaked}: ${what}`)
    }
    // It may have taken effect: the outage can have been that of the response.
    if (status >= 500) return 'lost'
    return { status, body, json: () => JSON.parse(body) as never }
  }
}

function noJson(): never {
  throw new Error('There is no body')
}
