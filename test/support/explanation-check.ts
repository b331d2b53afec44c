import type { LightMyRequestResponse } from 'fastify'
import { undefinedIfMissing } from '../../src/acts/act-error.ts'
import type { Souk } from '../../src/index.ts'
import { testDialect } from './test-dialect.ts'

/** The operator knows the rules, and its API has no rule that depends on what others did. */
const OPERATOR_PATH = '/operator/'

/**
 * Throws unless the request log explains a refused request: the rule, the facts it looked at, and the nearest request that it
 * lets pass, or why there is none.
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
  const { rule = '', facts = {}, nearest, noNearest } = logged.explanation ?? {}
  // The code of the error is in the response, too.
  const { code: _, ...others } = facts
  if (rule !== '' && Object.keys(others).length > 0 && (nearest ?? noNearest) !== undefined) return
  const { method, path, query, error, explanation } = logged
  throw new Error(
    `${method} ${path}?${query} was refused without an explanation: ${JSON.stringify({ error, explanation })}`,
  )
}
