import type { Database, Transaction } from '../platform/database/port.ts'
import type { SellerMarketplace } from './accounts/participation.ts'

/** The sets of data in which an item is shown. */
export const INCLUDED_DATA = [
  'summaries',
  'attributes',
  'issues',
  'offers',
  'fulfillmentAvailability',
  'procurement',
  'relationships',
  'productTypes',
] as const
export type IncludedData = (typeof INCLUDED_DATA)[number]

/** Whose listings are changed, where, and in which language they are spoken of. */
export interface BulkScope {
  sellerId: string
  /** Each message is about all of these. */
  marketplaces: readonly SellerMarketplace[]
  locale: string
}

/** One of many wishes to change a listing. */
export interface BulkMessage {
  messageId: number
  sku: string
  change:
    | { operation: 'PUT'; productType: string; requirements?: string; attributes: Record<string, unknown> }
    | { operation: 'PATCH'; productType: string; patches: readonly BulkPatch[] }
    | { operation: 'DELETE' }
}

export const PATCH_OPERATIONS = ['add', 'replace', 'merge', 'delete'] as const

export interface BulkPatch {
  op: (typeof PATCH_OPERATIONS)[number]
  path: string
  value?: readonly unknown[]
}

export interface BulkIssue {
  messageId?: number
  sku?: string
  code: string
  severity: 'ERROR' | 'WARNING' | 'INFO'
  message: string
  attribute?: string
}

/** What became of one message. */
export interface MessageResult {
  isAccepted: boolean
  issues: readonly BulkIssue[]
}

export interface RenderedItem {
  /** JSON */
  text: string
  errors: number
  warnings: number
}

/** The listings as those see them who bring many changes at once: feeds. */
export interface BulkListings {
  /** Applies messages one after the other. Each comes out as if it had been sent alone, and processed at once. */
  apply(tx: Transaction, scope: BulkScope, messages: readonly BulkMessage[]): Promise<MessageResult[]>
  /** Shows the items of these SKUs that there are, in the same order. */
  render(
    database: Database,
    scope: BulkScope,
    skus: readonly string[],
    includedData: readonly IncludedData[],
  ): Promise<RenderedItem[]>
}

/** The code of the live service for a message that is not one. */
export const INVALID_MESSAGE_CODE = '4002008'
