import type { RegisteredApplication } from '../../marketplace/accounts/applications.ts'
import type { CatalogWriter } from '../../marketplace/catalog/index.ts'
import type { OfferWriter } from '../../marketplace/offers/offers.ts'
import type { Requirements } from '../../marketplace/product-types/index.ts'
import type { Reader, Transaction } from '../../platform/database/port.ts'
import type { Violation } from '../../platform/errors/api-error.ts'
import type { Target } from '../../platform/messaging/port.ts'
import type { PageRequest } from '../../platform/paging.ts'

type Attributes = Record<string, readonly Record<string, unknown>[]>

export interface StoredIssue {
  kind: string
  attribute?: string
  place?: string
  limit?: string
}

/** A listing in the format of the listings area. */
export interface StoredListing {
  sellerId: string
  sku: string
  marketplaceId: string
  productType: string
  requirements?: Requirements
  state?: 'NEW' | 'LIVE' | 'UNKNOWN'
  asin?: string
  fnSku?: string
  product: Attributes
  offer: Attributes
  issues?: readonly StoredIssue[]
  createdAt: Date
  updatedAt?: Date
}

export interface SeededListing extends StoredListing {
  currencyCode: string
  isRestricted: boolean
}

export interface ListingView {
  title: string | undefined
  priceMinor: number | undefined
  fulfillmentType: 'AFN' | 'MFN'
  conditionType: string
  /** Whether orders take their pieces from its quantity. */
  countsStock: boolean
}

export interface StoredSolicitation {
  sellerId: string
  orderId: string
  sentThrough: 'api' | 'console'
  sentAt: Date
}

export interface StoredDestination {
  applicationId: string
  destinationId: string
  name: string
  target: Target
  createdAt: Date
}

export interface StoredSubscription {
  sellerId: string
  applicationId: string
  notificationType: string
  payloadVersion: string
  subscriptionId: string
  destinationId: string
  processingDirective?: unknown
  createdAt: Date
}

/** Rules of other parts of the service. They need no database. */
export interface SeedRules {
  describeListing(listing: Pick<SeededListing, 'product' | 'offer' | 'currencyCode'>, now: Date): ListingView
  /** The issues that a listing has if its seed does not say. */
  issuesByDefault(listing: SeededListing, now: Date): readonly StoredIssue[]
  isIssueKind(kind: string): boolean
  /** Why a subscription cannot be like this. The path is relative to it. */
  findSubscriptionViolation(
    subscription: StoredSubscription,
    destination: StoredDestination | undefined,
  ): Violation | undefined
}

/** Reads and writes that belong to other parts of the service. */
export interface SeedPorts {
  rules: SeedRules
  applications: {
    /** Has applications be warned before their client secrets expire. */
    planWarnings(tx: Transaction, applications: readonly RegisteredApplication[], now: Date): Promise<void>
  }
  catalog: CatalogWriter
  offers: OfferWriter
  listings: {
    write(tx: Transaction, listings: readonly SeededListing[], now: Date): Promise<void>
    list(reader: Reader, page: PageRequest): Promise<StoredListing[]>
  }
  solicitations: {
    write(tx: Transaction, solicitations: readonly StoredSolicitation[]): Promise<void>
    list(reader: Reader, page: PageRequest): Promise<StoredSolicitation[]>
  }
  notifications: {
    write(
      tx: Transaction,
      destinations: readonly StoredDestination[],
      subscriptions: readonly StoredSubscription[],
    ): Promise<void>
    listDestinations(reader: Reader, page: PageRequest): Promise<StoredDestination[]>
    listSubscriptions(reader: Reader, page: PageRequest): Promise<StoredSubscription[]>
  }
  /** Creates the local queues of these ARNs, if this process has the local queue. */
  prepareQueues(): Promise<void>
}
