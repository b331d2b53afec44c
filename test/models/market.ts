import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../src/composition/adapters.ts'
import { ManualClock } from '../../src/index.ts'
import { type StandIn, type StandInOptions, startStandIn } from '../../src/stand-in/stand-in.ts'
import { type Operation, readOperations } from '../support/openapi-parameters.ts'
import { checkResponses } from '../support/response-check.ts'
import { readAllRows } from '../support/table-rows.ts'
import type { ModelRequest } from './generate.ts'
import { type ModelOperation, normalizePath } from './model.ts'

export interface ReceivedResponse {
  status: number
  /** Undefined if the body is empty or not JSON. */
  body: unknown
  text: string
  headers: Record<string, unknown>
}

interface Raw {
  text?: string
  contentType?: string
}

type Method = 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE'

/** Operations that take a restricted data token only. */
const RESTRICTED: ReadonlySet<string> = new Set(
  ['buyerInfo', 'address', 'orderItems/buyerInfo', 'regulatedInfo'].map(
    (name) => `/orders/v0/orders/{orderId}/${name}`,
  ),
)
const GRANTLESS_SCOPES = 'sellingpartnerapi::notifications sellingpartnerapi::client_credential:rotation'
const START = '2026-06-01T12:00:00.000Z'
/** A job stays in each state until the clock moves by this. */
const JOB_DELAY_MILLISECONDS = 7_777

/** A marketplace with demo data and a clock that stands still, and the credentials to call it. */
export class Market implements AsyncDisposable {
  readonly souk: StandIn
  readonly clock: ManualClock
  /** What Souk serves, by method and path. */
  readonly served: ReadonlyMap<string, Operation>
  readonly #readRows: () => Promise<string[]>
  readonly #close: () => Promise<void>
  #tokens: Record<string, string> = {}

  private constructor(
    souk: StandIn,
    clock: ManualClock,
    served: Operation[],
    rows: () => Promise<string[]>,
    close: () => Promise<void>,
  ) {
    this.souk = souk
    this.clock = clock
    this.served = new Map(served.map((operation) => [keyOf(operation), operation]))
    this.#readRows = rows
    this.#close = close
  }

  static async start(rates: StandInOptions['rates'] = 'off'): Promise<Market> {
    const folder = mkdtempSync(join(tmpdir(), 'souk-models-'))
    const path = join(folder, 'souk.db')
    const clock = new ManualClock(START)
    const souk = await startStandIn({
      database: path,
      documents: join(folder, 'documents'),
      clock,
      rates,
      delay: JOB_DELAY_MILLISECONDS,
      extraRoutes: [checkResponses],
    })
    const database = await openDatabase({ kind: 'sqlite', path })
    const served = readOperations((await souk.inject({ url: '/docs/try/json' })).json())
    const close = async () => {
      await database.close()
      await souk.stop()
      rmSync(folder, { recursive: true, force: true })
    }
    return new Market(souk, clock, served, () => readAllRows(database), close)
  }

  get demo() {
    return this.souk.demo
  }

  find = (operation: ModelOperation): Operation | undefined => this.served.get(keyOf(operation))

  /** Back to the demo data, so that the operations do not depend on each other. */
  async reset(): Promise<void> {
    await this.souk.reset()
    this.#tokens = {}
  }

  /** Every row of the database, when no job is due. */
  async readRows(): Promise<string[]> {
    await this.souk.idle()
    return this.#readRows()
  }

  /** Lets queued jobs go through all of their states. */
  async finishJobs(): Promise<void> {
    const isProcessing = ({ kind }: { kind: string }) => kind.startsWith('process')
    do {
      this.clock.advance(JOB_DELAY_MILLISECONDS)
      await this.souk.idle()
    } while ((await this.souk.clock.due({ limit: 100 })).some(isProcessing))
  }

  async send(operation: ModelOperation, request: ModelRequest, raw: Raw = {}): Promise<ReceivedResponse> {
    const text = raw.text ?? (request.body === undefined ? undefined : JSON.stringify(request.body))
    const headers = Object.fromEntries(Object.entries(request.header).map(([name, value]) => [name, String(value)]))
    return this.#inject(operation.method, urlOf(operation.path, request), text, {
      ...headers,
      ...(await this.#credentials(operation)),
      ...(text !== undefined && { 'content-type': raw.contentType ?? 'application/json' }),
    })
  }

  /** A request of the seller, or with a grantless token, that must succeed. Returns its body. */
  async call(method: Method, path: string, body?: unknown, access: 'seller' | 'grantless' = 'seller') {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const response = await this.#inject(method, path, text, {
      'x-amz-access-token': await this.#token(access),
      ...(text !== undefined && { 'content-type': 'application/json' }),
    })
    if (response.status >= 300) throw new Error(`${method} ${path} failed with ${response.status}: ${response.text}`)
    return response.body as Record<string, unknown>
  }

  /** A request of the operator. */
  async operate(method: Method, path: string, body?: object): Promise<void> {
    const headers = {
      authorization: `Bearer ${this.demo.operatorKey}`,
      ...(body && { 'content-type': 'application/json' }),
    }
    await this.#inject(method, `/operator/v1${path}`, body && JSON.stringify(body), headers)
  }

  async #inject(
    method: string,
    url: string,
    payload: string | undefined,
    headers: Record<string, string>,
  ): Promise<ReceivedResponse> {
    const response = await this.souk.inject({
      method: method as Method,
      url,
      headers,
      ...(payload !== undefined && { payload }),
    })
    return { status: response.statusCode, body: parse(response.body), text: response.body, headers: response.headers }
  }

  async #credentials(operation: ModelOperation): Promise<Record<string, string>> {
    if (operation.method === 'GET' && RESTRICTED.has(operation.path))
      return { 'x-amz-access-token': await this.#restrictedToken(operation.path) }
    const access = this.find(operation)?.access === 'grantless' ? 'grantless' : 'seller'
    return { 'x-amz-access-token': await this.#token(access) }
  }

  async #token(access: 'seller' | 'grantless'): Promise<string> {
    const { clientId: client_id, clientSecret: client_secret, refreshToken } = this.demo
    const grant: Record<string, string> =
      access === 'seller'
        ? { grant_type: 'refresh_token', refresh_token: refreshToken }
        : { grant_type: 'client_credentials', scope: GRANTLESS_SCOPES }
    this.#tokens[access] ??= await this.#requestToken({ ...grant, client_id, client_secret })
    return this.#tokens[access] as string
  }

  async #restrictedToken(path: string): Promise<string> {
    const body = { restrictedResources: [{ method: 'GET', path }] }
    const issue = () => this.call('POST', '/tokens/2021-03-01/restrictedDataToken', body)
    this.#tokens[path] ??= (await issue()).restrictedDataToken as string
    return this.#tokens[path]
  }

  async #requestToken(payload: Record<string, string>): Promise<string> {
    const response = await this.souk.inject({ method: 'POST', url: '/auth/o2/token', payload })
    return response.json().access_token
  }

  /** Tokens end after an hour of the marketplace's time. */
  forgetTokens(): void {
    this.#tokens = {}
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close()
  }
}

const keyOf = ({ method, path }: { method: string; path: string }) => `${method} ${normalizePath(path)}`

function urlOf(path: string, request: ModelRequest): string {
  const filled = path.replace(/\{([^}]*)\}/g, (_, name) => encodeURIComponent(String(request.path[name])))
  // A list is separated by commas, as the models say.
  const query = Object.entries(request.query).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
  return query.length > 0 ? `${filled}?${query.join('&')}` : filled
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
