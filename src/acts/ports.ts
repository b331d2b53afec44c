import type { Transaction } from '../platform/database/port.ts'

/** A seller's listing, as a buyer sees it. */
export interface ListedSku {
  sku: string
  marketplaceId: string
  asin: string | undefined
  title: string | undefined
  conditionType: string
  fulfillmentType: 'AFN' | 'MFN'
  price: { minor: number; currencyCode: string } | undefined
  isBuyable: boolean
  /** It lacks nothing but stock. */
  isSoldOut: boolean
}

/** Finds and locks a seller's listings of these SKUs in all marketplaces, ordered by SKU and marketplace. */
export type FindListedSkus = (tx: Transaction, sellerId: string, skus: readonly string[]) => Promise<ListedSku[]>

/** The ids of an act that does not have them. */
export interface ActDefaults {
  sellerId?: string
  marketplaceId?: string
}
