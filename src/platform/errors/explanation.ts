/** Why a rule refused a request, for the developer of the client. The stand-in shows it to the one who sent the request. */
export interface Explanation {
  /** The rule as a sentence: `A solicitation is possible 5 to 30 days after delivery.` */
  rule: string
  /** What the rule looked at. Nothing that the caller may not see. */
  facts: Readonly<Record<string, unknown>>
  /** What to change so that the rule lets the request pass, if that is known. */
  change?: RequestChange
}

/** The difference between a refused request and the nearest one that passes. Null leaves a value out. */
export interface RequestChange {
  method?: string
  /** The whole path. */
  path?: string
  /** Values to replace wherever the request has them, such as an id by one that exists. */
  replace?: Readonly<Record<string, string>>
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
}

export type MissingKind = 'sku' | 'asin' | 'orderId' | 'reportId' | 'feedId' | 'destinationId' | 'productType'

/** Computed when a developer asks for it: most errors are never explained. */
export type Explain = () => Explanation | undefined | Promise<Explanation | undefined>
