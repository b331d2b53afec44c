import { isDeepStrictEqual } from 'node:util'
import type { LightMyRequestResponse } from 'fastify'
import { undefinedIfMissing } from '../../src/acts/act-error.ts'
import { parseJsonBody } from '../../src/http/json-body.ts'
import type { LoggedRequestDetail, RequestExplanation, Souk } from '../../src/index.ts'
import { testDialect } from './test-dialect.ts'

/** The operator knows the rules, and its API has no rule that depends on what others did. */
const OPERATOR_PATH = '/operator/'

/**
 * Throws unless the request log explains a refused request: the rule, the facts it looked at, and the nearest request
 * that it lets pass, or why there is none.
 */
export async function requireExplanation(
  souk: Pick<Souk, 'requests'>,
  response: LightMyRequestResponse,
): Promise<void> {
  // What explains a refusal is the same on PostgreSQL, and to ask for it takes time.
  if (testDialect === 'postgres') return
  const { statusCode, headers } = response
  if (statusCode < 400 || statusCode > 499 || headers['x-souk-request-url'] === undefined) return
  // A reset beside the request clears the log.
  const logged = await souk.requests.get(String(headers['x-amzn-requestid'])).catch(undefinedIfMissing)
  if (!logged) return
  if (logged.path.startsWith(OPERATOR_PATH)) return
  const problem = findProblem(logged)
  if (problem === undefined) return
  const { method, path, query, error, explanation } = logged
  throw new Error(`${method} ${path}?${query} ${problem}: ${JSON.stringify({ error, explanation })}`)
}

function findProblem({ explanation, ...refused }: LoggedRequestDetail): string | undefined {
  const { rule = '', facts = {}, nearest, noNearest } = explanation ?? {}
  // The code of the error is in the response, too.
  const { code: _, ...others } = facts
  if (rule === '' || Object.keys(others).length === 0 || (nearest ?? noNearest) === undefined)
    return 'was refused without an explanation'
  const unfinished = [rule, noNearest ?? '', refused.error?.reason ?? ''].find(
    (text) => text !== '' && !hasSentences(text),
  )
  if (unfinished !== undefined) return `was refused with a text that is not made of sentences, "${unfinished}"`
  if (nearest && isSame(nearest, refused)) return 'was refused, and its nearest request is the same request'
  return undefined
}

/** Each sentence has an end, and one only, and none is repeated. */
const hasSentences = (text: string): boolean =>
  /[.?!]$/.test(text) &&
  !/(?:^|[.?!] )([^.?!]+[.?!]) \1(?: |$)/.test(text) &&
  !/[\w)\]"'][.?!:,;]\.(\s|$)/.test(text) &&
  !/[\w)\]] (The|This|It|There|Did|Send) /.test(text)

type Nearest = NonNullable<RequestExplanation['nearest']>

/** Whether to send the nearest request is to send the refused one again. */
function isSame({ method, url, headers = {}, body, notBefore, first }: Nearest, refused: LoggedRequestDetail): boolean {
  if (notBefore !== undefined || first !== undefined) return false
  if (method !== refused.method || url !== refused.path + (refused.query && `?${refused.query}`)) return false
  if (Object.entries(headers).some(([name, value]) => refused.request.headers[name] !== value)) return false
  return body === undefined || isDeepStrictEqual(body, parse(refused.request.body))
}

function parse(body: string | undefined): unknown {
  try {
    // Not as JSON.parse, which reads a body with repeated keys as one without.
    return parseJsonBody(Buffer.from(body ?? ''))
  } catch {
    return body
  }
}
