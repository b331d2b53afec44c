import type { Caller } from '../../platform/auth/caller.ts'
import { ApiError } from '../../platform/errors/api-error.ts'
import type { Explain, Missing, Explanation as RuleExplanation } from '../../platform/errors/explanation.ts'
import { rankSimilar } from '../../platform/similar-words.ts'
import type { Entry } from './entry.ts'
import { jsonOf } from './entry-view.ts'
import { maskText } from './mask.ts'
import { nearestRequest, valueAt } from './nearest-request.ts'
import type { Explanation } from './schema.ts'

const MAX_CAUSES = 3

/** Lists ids like one that does not exist, of what the caller may see. */
export type ListKnownIds = (caller: Caller, missing: Missing) => Promise<string[]>

/** Why the request was refused: by the rule itself if it explains itself, or else by its error. */
export async function explain(entry: Entry, listKnownIds: ListKnownIds): Promise<Explanation | undefined> {
  const { thrown } = entry
  if (thrown === undefined) return undefined
  const { rule, facts, change } =
    (await find(thrown, 'explain')?.()) ?? (await explainMissing(entry, listKnownIds)) ?? explainError(entry, thrown)
  const explanation = { rule, facts, ...(change && { nearest: nearestRequest(entry, change) }) }
  // Facts and bodies may hold what the client sent.
  return JSON.parse(maskText(JSON.stringify(explanation)))
}

interface Explained {
  explain?: Explain
  missing?: Missing
}

/** An error may be the cause of the one that was thrown: of a batch, or of an operation with one message for all. */
function find<Name extends keyof Explained>(thrown: unknown, name: Name): Explained[Name] {
  let error = thrown
  for (let depth = 0; depth < MAX_CAUSES && error instanceof Error; depth++) {
    const found = (error as Explained)[name]
    if (found) return found
    error = error.cause
  }
  return undefined
}

/** What exists of another seller looks as if it did not exist here, too: only ids of the caller are compared. */
async function explainMissing(
  { thrown, caller, error }: Entry,
  listKnownIds: ListKnownIds,
): Promise<RuleExplanation | undefined> {
  const missing = find(thrown, 'missing')
  if (!missing || !caller) return undefined
  const { kind, id, marketplaceIds } = missing
  const nearest = rankSimilar(id, await listKnownIds(caller, missing))[0]?.candidate
  return {
    rule: [error?.message, error?.reason].filter(Boolean).join(' '),
    facts: { [kind]: id, ...(marketplaceIds && { marketplaceIds }), nearest: nearest ?? null },
    ...(nearest !== undefined && { change: { replace: { [id]: nearest } } }),
  }
}

function explainError(entry: Entry, thrown: unknown): RuleExplanation {
  const { code = 'InternalFailure', message = '', reason = '' } = entry.error ?? {}
  if (thrown instanceof ApiError && thrown.field !== undefined) return explainFields(entry, thrown)
  return { rule: [message, reason].filter(Boolean).join(' '), facts: { code } }
}

/** The rule is about fields, so the facts are what the request has there. */
function explainFields(entry: Entry, error: ApiError): RuleExplanation {
  const errors = [error, ...error.otherErrors]
  const query = Object.assign({}, ...errors.map(({ details }) => withinBound(entry, details)))
  return {
    rule: errors.map(({ details, message }) => details || message).join(' '),
    facts: Object.fromEntries(
      errors.flatMap(({ field }) => (field === undefined ? [] : [[field, sentAt(entry, field) ?? null]])),
    ),
    ...(Object.keys(query).length > 0 && { change: { query } }),
  }
}

/** Two parameters whose order is wrong, such as times: equal ones pass. */
function withinBound({ query }: Entry, details: string): Record<string, string> {
  const [, field, bound] = /^(\w+) must not be (?:before|after) (\w+)\.$/.exec(details) ?? []
  const value = bound === undefined ? undefined : valueAt(query, bound)
  return field !== undefined && typeof value === 'string' ? { [field]: value } : {}
}

/** What the request has at a place: in its path, its query or its body. */
function sentAt({ params, query, requestBody }: Entry, field: string): unknown {
  return valueAt(params, field) ?? valueAt(query, field) ?? valueAt(jsonOf(requestBody), field)
}
