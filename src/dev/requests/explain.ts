import { parseLooseJson } from '../../http/json-body.ts'
import type { Caller } from '../../platform/auth/caller.ts'
import { ApiError } from '../../platform/errors/api-error.ts'
import type { Missing, MissingKind, Explanation as RuleExplanation } from '../../platform/errors/explanation.ts'
import { joinSentences } from '../../platform/errors/sentences.ts'
import { rankSimilar } from '../../platform/similar-words.ts'
import { type Entry, REFUSED } from './entry.ts'
import { maskSent, sentFields } from './entry-view.ts'
import { findExplained } from './explained-error.ts'
import { nearestRequest, valueAt } from './nearest-request.ts'
import type { Explanation } from './schema.ts'

/** Lists ids like one that does not exist, of what the caller may see. */
export type ListKnownIds = (caller: Caller, missing: Missing) => Promise<string[]>

/** Why the request was refused: by the rule itself as far as it explains itself, and for the rest by its error. */
export async function explain(entry: Entry, listKnownIds: ListKnownIds): Promise<Explanation | undefined> {
  const { thrown } = entry
  if (thrown === undefined) return undefined
  const { rule, facts, change, noNearest }: RuleExplanation = {
    ...explainError(entry, thrown),
    ...(await explainMissing(entry, listKnownIds)),
    ...findExplained(thrown, 'explain')?.(),
    ...findExplained(thrown, 'explainSent')?.(sentBody(entry)),
  }
  const nearest = change && nearestRequest(entry, change)
  const explanation = { rule, facts, ...(nearest ? { nearest } : noNearest !== undefined && { noNearest }) }
  // Facts and bodies may hold what the client sent.
  const masked: Explanation = JSON.parse(maskSent(entry, JSON.stringify(explanation)))
  // A request for a token has a secret under the same name.
  if (facts.code === codeOf(entry)) masked.facts.code = facts.code
  if (nearest && masked.nearest) masked.nearest = withPlaceholders(nearest, masked.nearest, sentValues(entry))
  return masked
}

const PLACEHOLDER = /^(?:(?:Bearer|Basic) )?<[\w ]+>$/

/** A value with what a rule names in place of a secret, such as `<its client secret>`: masked, it would say nothing. */
function withPlaceholders<Value>(original: Value, masked: Value, sent: ReadonlySet<unknown>): Value {
  if (typeof original === 'string') return PLACEHOLDER.test(original) && !sent.has(original) ? original : masked
  if (typeof original !== 'object' || original === null) return masked
  // A list or an object that is a secret as a whole is a text now.
  if (typeof masked !== 'object' || masked === null) return masked
  const merged = Object.entries(masked).map(([key, value]) => [
    key,
    withPlaceholders(original[key as keyof Value], value, sent),
  ])
  return (Array.isArray(masked) ? merged.map(([, value]) => value) : Object.fromEntries(merged)) as Value
}

/**
 * What a client sent, decoded: it may have such a text for a secret. By a list, because a body may be nested too deep
 * to recurse.
 */
function sentValues(entry: Entry): ReadonlySet<unknown> {
  const values: unknown[] = [entry.requestHeaders, sentBody(entry)]
  for (const value of values) {
    if (typeof value === 'object' && value !== null) for (const child of Object.values(value)) values.push(child)
  }
  return new Set(values)
}

/** Also JSON that is refused before any rule sees it, such as that with a repeated key. */
function sentBody({ requestBody }: Entry): unknown {
  const fields = sentFields(requestBody)
  if (fields !== undefined || requestBody === undefined) return fields
  try {
    return parseLooseJson(requestBody)
  } catch {
    return undefined
  }
}

/** What exists of another seller looks as if it did not exist here, too: only ids of the caller are compared. */
async function explainMissing(
  { thrown, caller, error }: Entry,
  listKnownIds: ListKnownIds,
): Promise<RuleExplanation | undefined> {
  const missing = findExplained(thrown, 'missing')
  if (!missing || !caller) return undefined
  const { kind, id, marketplaceIds } = missing
  // One that is known and yet missing here, such as an expired document, is no better than before.
  const others = (await listKnownIds(caller, missing)).filter((known) => known !== id)
  const nearest = rankSimilar(id, others)[0]?.candidate
  return {
    rule: ruleOf(error),
    facts: { [kind]: id, ...(marketplaceIds && { marketplaceIds }), nearest: nearest ?? null },
    ...(nearest === undefined
      ? { change: { replace: { [id]: `<${kind}>` }, first: CREATE[kind] } }
      : { change: { replace: { [id]: nearest } } }),
  }
}

/** How the caller gets one, if there is none. */
const CREATE: Readonly<Record<MissingKind, string>> = {
  sku: 'PUT /listings/2021-08-01/items/{sellerId}/{sku}',
  asin: 'Have the operator add an item to the catalog of the marketplace.',
  orderId: 'Have a buyer place an order: POST /operator/v1/acts.',
  reportId: 'POST /reports/2021-06-30/reports',
  reportScheduleId: 'POST /reports/2021-06-30/schedules',
  reportDocumentId: 'POST /reports/2021-06-30/reports, and wait until getReport names the document.',
  feedId: 'POST /feeds/2021-06-30/feeds',
  feedDocumentId: 'POST /feeds/2021-06-30/feeds, and wait until getFeed names the result.',
  inputFeedDocumentId: 'POST /feeds/2021-06-30/documents, then PUT the feed to the url of its response.',
  destinationId: 'POST /notifications/v1/destinations',
  subscriptionId: 'POST /notifications/v1/subscriptions/{notificationType}',
  productType: 'Have the operator add a product type.',
}

const codeOf = ({ error }: Entry): string => error?.code ?? 'InternalFailure'

/** Some reasons begin with the message. */
const ruleOf = ({ message = '', reason = '' }: Partial<NonNullable<Entry['error']>> = {}) =>
  joinSentences(reason.startsWith(message) ? '' : message, reason)

/** The rule is the text of the error, and the facts are what the request has where the error is. */
function explainError(entry: Entry, thrown: unknown): RuleExplanation {
  const { error, params, requestBytes } = entry
  if (thrown === REFUSED) {
    const noNearest = 'The log does not keep all of a long body, so it cannot correct it. Correct what the rule names.'
    return { rule: ruleOf(error), facts: { code: codeOf(entry), bodyBytes: requestBytes }, noNearest }
  }
  const errors = thrown instanceof ApiError ? [thrown, ...thrown.otherErrors] : []
  const fields = errors.flatMap(({ field }) => (field === undefined ? [] : [[field, sentAt(entry, field) ?? null]]))
  if (fields.length === 0) return { rule: ruleOf(error), facts: { code: codeOf(entry), ...(params as object) } }
  return {
    rule: joinSentences(...errors.map(({ details, message }) => details || message)),
    facts: Object.fromEntries(fields),
  }
}

/** What the request has at a place: in its path, its query or its body. */
function sentAt({ params, query, requestBody }: Entry, field: string): unknown {
  return valueAt(params, field) ?? valueAt(query, field) ?? valueAt(sentFields(requestBody), field)
}
