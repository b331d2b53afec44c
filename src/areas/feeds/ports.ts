import type { SellerMarketplace } from '../../marketplace/accounts/participation.ts'
import type { Requirements } from '../../marketplace/product-types/index.ts'
import type { Database, Transaction } from '../../platform/database/port.ts'

export interface BulkScope {
  sellerId: string
  /** Every message applies to all of these. */
  marketplaces: readonly SellerMarketplace[]
  /** Locale of issue messages. */
  locale: string
}

/** One of many changes of listings. */
export interface BulkMessage {
  sku: string
  change:
    | { operation: 'PUT'; productType: string; requirements?: Requirements; attributes: Record<string, unknown> }
    /** Replaces each of the attributes and keeps the others. */
    | { operation: 'PARTIAL_UPDATE'; productType: string; attributes: Record<string, unknown> }
    | { operation: 'PATCH'; productType: string; patches: readonly BulkPatch[] }
    | { operation: 'DELETE' }
}

export interface BulkPatch {
  op: 'add' | 'replace' | 'merge' | 'delete'
  path: string
  value?: readonly unknown[]
}

/** An issue of a listing. */
export interface BulkIssue {
  code: string
  severity: 'ERROR' | 'WARNING' | 'INFO'
  message: string
  attribute?: string
}

/** A message that does not describe a valid change has an error instead of issues. */
export type BulkResult = { isAccepted: boolean; issues: readonly BulkIssue[] } | { error: string }

export interface RenderedItem {
  /** JSON */
  text: string
  errors: number
  warnings: number
}

/** Changes that are computed, and whose listings are locked. */
export interface PreparedBatch extends PendingKeys {
  /** Writes the changes, in the transaction that they were prepared in. Returns the results of the messages. */
  write(): Promise<BulkResult[]>
}

/** What a batch adds or changes, and others do not see before it is committed. */
export interface PendingKeys {
  readonly skus: ReadonlySet<string>
  /** Identifiers of new products. */
  readonly identifiers: ReadonlySet<string>
}

/** The batch before, if it may not be committed yet. */
export interface PendingBatch extends PendingKeys {
  readonly committed: Promise<unknown>
}

/** What feeds need of listings. */
export interface BulkListings {
  /** The data sets that `render` supports. */
  readonly dataSets: readonly string[]
  /**
   * Prepares messages, to be applied in order. Each has the result that it would have alone, submitted and processed.
   * Waits for the earlier batch if a message depends on it.
   */
  prepare(
    tx: Transaction,
    scope: BulkScope,
    messages: readonly BulkMessage[],
    earlier?: PendingBatch,
  ): Promise<PreparedBatch>
  /** Renders the items of the SKUs that exist, in the order of the SKUs. */
  render(
    database: Database,
    scope: BulkScope,
    skus: readonly string[],
    dataSets: readonly string[],
  ): Promise<RenderedItem[]>
}
