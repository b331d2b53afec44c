import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { ManualClock, type Souk } from '../../src/index.ts'
import { type StandInOptions, startStandIn } from '../../src/stand-in/stand-in.ts'
import { afterFile } from './after-file.ts'
import { createPostgresDatabase, testDialect } from './databases.ts'
import { requireExplanation } from './explanation-check.ts'
import { TEST_TIME } from './postgres-server.ts'
import { checkResponses } from './response-check.ts'
import { sqliteImage } from './sqlite-images.ts'

export const NOTIFICATIONS = 'sellingpartnerapi::notifications'
export const ROTATION = 'sellingpartnerapi::client_credential:rotation'

export interface TestRequest extends Omit<InjectOptions, 'url' | 'method'> {
  /** Sent as x-amz-access-token. */
  token?: string
}

export interface TestSouk extends Souk {
  get(path: string, request?: TestRequest): Promise<LightMyRequestResponse>
  post(path: string, request?: TestRequest): Promise<LightMyRequestResponse>
  put(path: string, request?: TestRequest): Promise<LightMyRequestResponse>
  delete(path: string, request?: TestRequest): Promise<LightMyRequestResponse>
  send(method: InjectOptions['method'], path: string, request?: TestRequest): Promise<LightMyRequestResponse>
  /** Requests an access token of a seller. */
  tokenFor(refreshToken: string): Promise<string>
  grantlessToken(scope: string): Promise<string>
  operator: { authorization: string }
}

/** The demo marketplace has dates around the time at which it was loaded, so it is copied only for the default time. */
export function initialContent({ clock, demo = true }: Pick<StandInOptions, 'clock' | 'demo'>): 'schema' | 'demo' {
  return clock || !demo ? 'schema' : 'demo'
}

const testDatabase = async (content: 'schema' | 'demo') =>
  testDialect === 'postgres'
    ? { database: await createPostgresDatabase(content) }
    : { databaseImage: await sqliteImage(content) }

/** A real service on the database of this run, with a manual clock, quotas off and checked responses. */
export async function startTestSouk(options: StandInOptions = {}): Promise<TestSouk> {
  const { clock = new ManualClock(TEST_TIME), extraRoutes = [], ...rest } = options
  const souk = await startStandIn({
    rates: 'off',
    passwordCost: { N: 16, r: 8, p: 1 },
    clock,
    ...(options.database === undefined && (await testDatabase(initialContent(options)))),
    ...rest,
    extraRoutes: [checkResponses, ...extraRoutes],
  })
  afterFile(() => souk.stop())

  const send: TestSouk['send'] = async (method = 'GET', path, { token, headers, ...request } = {}) => {
    const response = await souk.inject({
      ...request,
      method,
      url: path,
      headers: { ...(token !== undefined && { 'x-amz-access-token': token }), ...headers },
    })
    await requireExplanation(souk, response)
    return response
  }

  async function requestToken(fields: Record<string, string>): Promise<string> {
    const { clientId: client_id, clientSecret: client_secret } = souk.demo
    const response = await send('POST', '/auth/o2/token', { payload: { ...fields, client_id, client_secret } })
    return response.json().access_token
  }

  return {
    ...souk,
    send,
    get: (path, request) => send('GET', path, request),
    post: (path, request) => send('POST', path, request),
    put: (path, request) => send('PUT', path, request),
    delete: (path, request) => send('DELETE', path, request),
    tokenFor: (refresh_token) => requestToken({ grant_type: 'refresh_token', refresh_token }),
    grantlessToken: (scope) => requestToken({ grant_type: 'client_credentials', scope }),
    operator: { authorization: `Bearer ${souk.demo.operatorKey}` },
  }
}

/** The single error of a response, with its status. */
export function errorOf(response: LightMyRequestResponse) {
  const { errors } = response.json() as { errors: { code: string; message: string; details: string }[] }
  if (errors?.length !== 1) throw new Error(`Not one error: ${response.body}`)
  return { status: response.statusCode, ...errors[0] }
}

/** The exact cause in the header of a response, or an empty string. */
export function reasonOf(response: LightMyRequestResponse): string {
  return decodeURIComponent(String(response.headers['x-souk-reason'] ?? ''))
}
