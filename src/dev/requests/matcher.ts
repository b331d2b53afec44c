import { maskTokens } from '../../platform/logging/mask-tokens.ts'
import { SUBJECTS, type Subject, type SubjectMatch } from '../subjects.ts'
import type { Entry } from './entry.ts'
import {
  grantOf,
  jsonOf,
  pathTextOf,
  requestTextOf,
  responseTextOf,
  sellerOf,
  subjectsOf,
  urlTextOf,
} from './entry-view.ts'

/** Which requests are meant. All that is given must match. */
export interface RequestMatcher extends SubjectMatch {
  operation?: string
  seller?: string
  application?: string
  /** Which refresh token a request for a token has, as `grantOf` names it. */
  grant?: string
  /** `429` or `4xx`. */
  status?: string | number
  method?: string
  /** How the path begins. */
  path?: string
  /** A text in the URL or in a body, ignoring case. */
  q?: string
  /** What the JSON body of the request has, among other things. */
  body?: object
}

interface Criterion {
  name: string
  wanted: string
  /** What the request has instead, for a reader. */
  actual(entry: Entry): string
  matches(entry: Entry): boolean
  /** Whether what the log no longer has of the request could match. */
  isUnknown?(entry: Entry): boolean
}

/** Compares requests with what is wanted of them. */
export class Matcher {
  readonly #criteria: readonly Criterion[]
  /** Of finished entries, which do not change: a verification that waits compares all of them again and again. */
  readonly #known = new WeakMap<Entry, boolean>()
  /** The same, of those that do not match. */
  readonly #unknown = new WeakMap<Entry, boolean>()

  constructor(wanted: RequestMatcher) {
    this.#criteria = criteriaOf(wanted)
  }

  matches(entry: Entry): boolean {
    // A watcher of all requests compares each once, and remembering it would cost more than the rest of watching.
    if (this.#criteria.length === 0) return true
    const known = this.#known.get(entry)
    if (known !== undefined) return known
    const isMatch = this.#criteria.every((criterion) => criterion.matches(entry))
    if (entry.outcome !== 'running') this.#known.set(entry, isMatch)
    return isMatch
  }

  /** Whether the request does not match, but may have matched before its bodies were cut. */
  isUnknown(entry: Entry): boolean {
    if (this.matches(entry)) return false
    const known = this.#unknown.get(entry)
    if (known !== undefined) return known
    const isUnknown =
      entry.isCut && this.#criteria.every((criterion) => criterion.isUnknown?.(entry) || criterion.matches(entry))
    if (entry.outcome !== 'running') this.#unknown.set(entry, isUnknown)
    return isUnknown
  }

  countDifferences(entry: Entry): number {
    return this.#criteria.filter((criterion) => !criterion.matches(entry)).length
  }

  /** `sku is A-2, not A-1`, for each difference. */
  differences(entry: Entry): string[] {
    return this.#criteria
      .filter((criterion) => !criterion.matches(entry))
      .map(({ name, wanted, actual }) => `${name} is ${actual(entry)}, not ${wanted}`)
  }

  describe(): string {
    return this.#criteria.map(({ name, wanted }) => `${name} ${wanted}`).join(', ') || 'any request'
  }
}

function criteriaOf({
  operation,
  seller,
  application,
  grant,
  status,
  method,
  path,
  q,
  body,
  ...ids
}: RequestMatcher): Criterion[] {
  const criteria: (Criterion | undefined)[] = [
    equal('operation', operation, (entry) => entry.operation),
    equal('seller', seller, sellerOf),
    equal('application', application, (entry) => entry.caller?.applicationId),
    equal('grant', grant, grantOf),
    equal('method', method?.toUpperCase(), (entry) => entry.method),
    status === undefined ? undefined : statusCriterion(String(status)),
    path === undefined
      ? undefined
      : { name: 'path', wanted: path, actual: pathTextOf, matches: (entry) => pathTextOf(entry).startsWith(path) },
    q === undefined
      ? undefined
      : { name: 'text', wanted: q, actual: () => 'absent', matches: containing(q), isUnknown: ({ isCut }) => isCut },
    body === undefined
      ? undefined
      : {
          name: 'body',
          wanted: JSON.stringify(body),
          actual: (entry) => requestTextOf(entry) ?? 'absent',
          matches: (entry) => contains(jsonOf(entry.requestBody), body),
          isUnknown: ({ isRequestCut }) => isRequestCut,
        },
    ...SUBJECTS.map((subject) => subjectCriterion(subject, ids[subject])),
  ]
  return criteria.filter((criterion) => criterion !== undefined)
}

function equal(
  name: string,
  wanted: string | undefined,
  read: (entry: Entry) => string | undefined,
): Criterion | undefined {
  if (wanted === undefined) return undefined
  return { name, wanted, actual: (entry) => read(entry) ?? 'unknown', matches: (entry) => read(entry) === wanted }
}

function statusCriterion(wanted: string): Criterion {
  const pattern = new RegExp(`^${wanted.replaceAll(/x/gi, '\\d')}$`)
  return {
    name: 'status',
    wanted,
    actual: ({ status, outcome }) => String(status ?? outcome),
    matches: ({ status }) => status !== undefined && pattern.test(String(status)),
  }
}

function subjectCriterion(subject: Subject, wanted: string | undefined): Criterion | undefined {
  if (wanted === undefined) return undefined
  const idsOf = (entry: Entry) => subjectsOf(entry)[subject] ?? []
  return {
    name: subject,
    wanted,
    actual: (entry) => maskTokens(idsOf(entry).join(', ')) || 'absent',
    matches: (entry) => idsOf(entry).includes(wanted),
    isUnknown: ({ isRequestCut }) => isRequestCut,
  }
}

/** Secrets are masked first: a search must not find what a reader cannot see. */
function containing(text: string) {
  const wanted = text.toLowerCase()
  return (entry: Entry) =>
    [urlTextOf(entry), requestTextOf(entry), responseTextOf(entry)].some((one) => one?.toLowerCase().includes(wanted))
}

/** Whether a value has all that is wanted. Objects may have more members, lists may not have more elements. */
function contains(value: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return value === wanted
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== Array.isArray(wanted)) return false
  if (Array.isArray(wanted) && wanted.length !== (value as unknown[]).length) return false
  return Object.entries(wanted).every(
    ([key, member]) => Object.hasOwn(value, key) && contains(value[key as keyof typeof value], member),
  )
}
