import { rankSimilar } from '../similar-words.ts'

/** Why a rule refused a request, for the developer of the client. The stand-in shows it to the one who sent the request. */
export interface Explanation {
  /** The rule as a sentence: `Only a feed that is IN_QUEUE can be cancelled.` */
  rule: string
  /** What the rule looked at. Nothing that the caller may not see. */
  facts: Readonly<Record<string, unknown>>
  /** What to change so that the rule lets the request pass. */
  change?: RequestChange
  /** Why no change of the request lets it pass, where there is none: what would have to be true first. */
  noNearest?: string
}

/** The difference between a refused request and the nearest one that passes. Null leaves a value out. */
export interface RequestChange {
  method?: string
  /** The whole path. */
  path?: string
  /** The whole path and query, as text: nothing else of them changes. */
  url?: string
  /** Values to replace wherever the request has them, such as an id by one that exists. */
  replace?: Readonly<Record<string, string>>
  /** By field path, such as `createdSince`, wherever the operation takes it: in its path, its query or its body. */
  fields?: Readonly<Record<string, unknown>>
  query?: Readonly<Record<string, string | null>>
  headers?: Readonly<Record<string, string | null>>
  /** By field path, such as `patches[0].op`. */
  body?: Readonly<Record<string, unknown>>
  /** The time of the marketplace from which on the request passes. */
  notBefore?: Date
  /** What to do before sending it again. */
  first?: string
}

/** Something of the caller that the request names and that does not exist. The stand-in looks for the nearest that does. */
export interface Missing {
  kind: MissingKind
  id: string
  /** Absent where it may be in any. */
  marketplaceIds?: readonly string[]
  /** Of a subscription. */
  notificationType?: string
}

export type MissingKind =
  | 'sku'
  | 'asin'
  | 'orderId'
  | 'reportId'
  | 'reportScheduleId'
  | 'reportDocumentId'
  | 'feedId'
  | 'feedDocumentId'
  | 'inputFeedDocumentId'
  | 'destinationId'
  | 'subscriptionId'
  | 'productType'

/**
 * Computed when a developer asks for it: most errors are never explained. Without a rule, that is the text of the error, and
 * without facts, they are what the request has in the field that is wrong.
 */
export type Explain = () => Partial<Explanation>

/**
 * The same from the body of the request, which is parsed again for it: the log keeps errors, and what an error holds on
 * to takes many times the memory of the text.
 */
export type ExplainSent = (body: unknown) => Partial<Explanation>

/** The request passes with these values of fields; null leaves one out. */
export const withFields =
  (fields: Readonly<Record<string, unknown>>): Explain =>
  () => ({ change: { fields } })

/** The request passes without these fields. */
export const withoutFields = (...names: readonly string[]): Explain =>
  withFields(Object.fromEntries(names.map((name) => [name, null])))

/** The request passes with the value that is most like the one that was sent. */
export const withNearestOf =
  (field: string, sent: string, allowed: readonly string[]): Explain =>
  () => ({
    facts: { [field]: sent, allowed },
    change: { fields: { [field]: rankSimilar(sent, allowed)[0]?.candidate ?? allowed[0] } },
  })

/** The same request passes after something else was done. */
export const afterDoing =
  (first: string, facts?: Explanation['facts']): Explain =>
  () => ({ change: { first }, ...(facts && { facts }) })

/** No request like it passes. */
export const neverPasses =
  (noNearest: string, facts?: Explanation['facts']): Explain =>
  () => ({ noNearest, ...(facts && { facts }) })
