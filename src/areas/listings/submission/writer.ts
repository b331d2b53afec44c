import { isDeepStrictEqual } from 'node:util'
import type { SellerMarketplace } from '../../../marketplace/accounts/participation.ts'
import { addCatalogItems } from '../../../marketplace/catalog/index.ts'
import type { OfferWriter } from '../../../marketplace/offers/offers.ts'
import type { Clock } from '../../../platform/clock/port.ts'
import type { LockMode, Reader, Transaction } from '../../../platform/database/port.ts'
import type { Ids } from '../../../platform/ids/port.ts'
import type { JobQueue } from '../../../platform/jobs/port.ts'
import type { Outbox } from '../../../platform/outbox/outbox.ts'
import { applyChange, type Change, type ChangeResult, changeQuantity } from '../domain/change.ts'
import { distinctIssues, hasErrors, type Issue } from '../domain/issues.ts'
import type { Listing, ListingKey } from '../domain/listing.ts'
import { createEvents } from '../domain/listing-events.ts'
import { parseRelations, RELATION_ATTRIBUTES } from '../domain/relations.ts'
import { recordChanges } from '../store/history-store.ts'
import { findListing, findListingToChange, writeListings } from '../store/listing-store.ts'
import { findRelated, lockRelations, writeRelations } from '../store/relation-store.ts'
import { Batch } from './batch.ts'
import { syncOffer } from './listing-offer.ts'
import { processListing, toSubmitted } from './processing.ts'
import { enqueueProcessing } from './queue.ts'

export interface WriterDependencies {
  clock: Clock
  ids: Ids
  jobs: JobQueue
  outbox: Outbox
  offers: OfferWriter
  /** Minimum time between a submission and its processing. */
  delayMilliseconds: number
}

export interface SubmissionRequest {
  sellerId: string
  sku: string
  marketplaces: readonly SellerMarketplace[]
  change: Change
}

export interface SubmissionSummary {
  issues: Issue[]
  /** Marketplaces without a matched catalog item are omitted. */
  asins: { marketplaceId: string; asin: string }[]
}

export interface SubmissionDraft extends SubmissionSummary {
  isValid: boolean
  drafts: { marketplace: SellerMarketplace; before: Listing | undefined; result: ChangeResult }[]
}

export interface SubmissionResult extends SubmissionSummary {
  submissionId: string
  status: 'ACCEPTED' | 'INVALID'
}

export type ListingWriter = ReturnType<typeof createListingWriter>

/**
 * Every change of a listing goes through this writer: it writes the listing, its history, its offer, its events and its
 * jobs in one transaction.
 */
export function createListingWriter({ clock, ids, jobs, outbox, offers, delayMilliseconds }: WriterDependencies) {
  return {
    /** Computes a submission without writing it. */
    preview: draft,

    async submit(tx: Transaction, request: SubmissionRequest, batch: Batch): Promise<SubmissionResult> {
      const { isValid, issues, asins, drafts } = draft(request, batch)
      const submissionId = ids.next('submission')
      if (!isValid) return { submissionId, status: 'INVALID', issues, asins }
      const now = batch.changedAt(clock)
      for (const { before, result } of drafts) {
        const after = putInBatch(batch, before, result, result.touched)
        if (!needsProcessing(before, after)) continue
        batch.scheduleProcessing(after, new Date(now.getTime() + delayMilliseconds))
      }
      await this.flush(tx, batch)
      return { submissionId, status: 'ACCEPTED', issues, asins }
    },

    /**
     * Submits and processes a listing at once, as one of many in a batch that the caller flushes in the same transaction.
     * Returns the issues; a submission with errors changes nothing.
     */
    async submitAndProcess(tx: Transaction, request: SubmissionRequest, batch: Batch): Promise<Issue[]> {
      const { isValid, issues, drafts } = draft(request, batch)
      if (!isValid) return issues
      for (const { marketplace, before, result } of drafts) {
        const isDone = result.listing && !needsProcessing(before, result.listing)
        if (isDone) {
          putInBatch(batch, before, result, result.touched)
          continue
        }
        const processed = await processNow(tx, result, marketplace, batch)
        putInBatch(batch, before, processed, result.touched)
      }
      return issues
    },

    /** Processes a stored listing again. */
    async reprocess(tx: Transaction, before: Listing, { currencyCode }: SellerMarketplace): Promise<void> {
      const batch = new Batch([before])
      const context = { now: batch.changedAt(clock), currencyCode }
      const { products } = batch
      const processed = await processListing(tx, { ids, products }, toSubmitted(before, context), context)
      putInBatch(batch, before, processed, NO_ATTRIBUTES)
      await this.flush(tx, batch)
    },

    /** Sets the quantity of a listing whose stock Souk itself moves. It needs no processing. */
    setQuantity(batch: Batch, before: Listing, quantity: number, currencyCode: string): void {
      const result = changeQuantity(before, quantity, { now: batch.changedAt(clock), currencyCode })
      putInBatch(batch, before, result, result.touched)
    },

    remove(batch: Batch, before: Listing): void {
      const now = batch.changedAt(clock)
      const after = { ...before, isBuyable: false, isDiscoverable: false, issues: [] }
      batch.remove(before)
      if (before.hasRelations) batch.setRelations(before, [])
      batch.events.push(...createEvents(before, after, now, { isDeleted: true }))
      syncOffer(batch, before, after, now)
    },

    async submitRemoval(tx: Transaction, target: SubmissionTarget): Promise<string> {
      const batch = await loadBatchToChange(tx, target, 'shared')
      for (const { marketplaceId } of target.marketplaces) {
        const before = batch.find({ ...target, marketplaceId })
        if (before) this.remove(batch, before)
      }
      await this.flush(tx, batch)
      return ids.next('submission')
    },

    async flush(tx: Transaction, batch: Batch): Promise<void> {
      const now = batch.changedAt(clock)
      const { changes, relations } = batch
      const newListings = changes.flatMap(({ before, after }) => (after && !before ? [after] : []))
      // Most changes are those of prices and quantities, for which every wait for nothing would count.
      const mayRelate = relations.length > 0 || newListings.length > 0
      const related = mayRelate ? await findRelated(tx, relations, newListings) : []
      for (const { key, at } of batch.scheduledJobs) {
        await enqueueProcessing(tx, jobs, key, at)
      }
      if (batch.products.added.length > 0) await addCatalogItems(tx, batch.products.added, now)
      await writeListings(tx, changes)
      await recordChanges(tx, changes, now)
      if (mayRelate) await writeRelations(tx, relations, related)
      await offers.write(tx, batch.changedOffers, { removed: batch.removedOffers, newProducts: batch.products.added })
      await outbox.append(tx, batch.events)
    },
  }

  function draft({ sellerId, sku, marketplaces, change }: SubmissionRequest, batch: Batch): SubmissionDraft {
    const now = batch.changedAt(clock)
    const marketplaceIds = marketplaces.map(({ marketplaceId }) => marketplaceId)
    const drafts = marketplaces.map((marketplace) => {
      const { marketplaceId, currencyCode } = marketplace
      const key = { sellerId, sku, marketplaceId }
      const before = batch.find(key)
      return { marketplace, before, result: applyChange(before, change, { key, marketplaceIds, now, currencyCode }) }
    })
    const issues = distinctIssues(drafts.flatMap(({ result }) => result.issues))
    const asins = drafts.flatMap(({ marketplace: { marketplaceId }, before }) =>
      before?.asin === undefined ? [] : [{ marketplaceId, asin: before.asin }],
    )
    return { isValid: !hasErrors(issues), issues, asins, drafts }
  }

  /** Puts a changed or processed listing into the batch, with the relations, events, offer and jobs that follow. */
  function putInBatch(
    batch: Batch,
    before: Listing | undefined,
    { listing: after, terms }: Pick<ChangeResult, 'listing' | 'terms'>,
    touched: readonly string[],
  ): Listing {
    if (!after || !terms) throw new Error('A change with errors must not be written')
    const now = batch.changedAt(clock)
    if (RELATION_ATTRIBUTES.some((name) => touched.includes(name))) {
      const relations = parseRelations(after)
      // Most submissions repeat the stored relations.
      const isKnown = before?.hasRelations && isDeepStrictEqual(parseRelations(before), relations)
      if (!isKnown) batch.setRelations(after, relations)
      after.hasRelations ||= relations.length > 0
    }
    batch.put(after)
    batch.events.push(...createEvents(before, after, now))
    syncOffer(batch, before, after, now)
    // A discount that starts or ends changes the offer without a submission.
    const mayChangePrice = touched.includes('purchasable_offer') || touched.length === 0
    if (terms.nextChangeAt && mayChangePrice) batch.scheduleProcessing(after, terms.nextChangeAt)
    return after
  }

  async function processNow(
    tx: Transaction,
    { listing, terms, product }: ChangeResult,
    { currencyCode }: SellerMarketplace,
    batch: Batch,
  ) {
    if (!listing || !terms) throw new Error('A change with errors must not be processed')
    const attributes = product ?? JSON.parse(listing.productAttributes)
    const submitted = { listing, terms, product: attributes }
    const { products } = batch
    return processListing(tx, { ids, products }, submitted, { now: batch.changedAt(clock), currencyCode })
  }
}

export type SubmissionTarget = Pick<SubmissionRequest, 'sellerId' | 'sku'> & {
  marketplaces: readonly Pick<SellerMarketplace, 'marketplaceId'>[]
}

const NO_ATTRIBUTES: readonly string[] = []

/** Reads the listings that a submission is about. */
export const loadBatch = (reader: Reader, target: SubmissionTarget) =>
  collectBatch(target, (key) => findListing(reader, key))

/**
 * Locks the listings too, in the order in which every transaction locks them. A change that may add relations locks
 * those alone.
 */
export async function loadBatchToChange(
  tx: Transaction,
  target: SubmissionTarget,
  relations: LockMode,
): Promise<Batch> {
  const { sellerId, marketplaces } = target
  await lockRelations(
    tx,
    marketplaces.map(({ marketplaceId }) => ({ sellerId, marketplaceId })),
    relations,
  )
  return collectBatch(target, (key) => findListingToChange(tx, key))
}

async function collectBatch(
  { sellerId, sku, marketplaces }: SubmissionTarget,
  find: (key: ListingKey) => Promise<Listing | undefined>,
): Promise<Batch> {
  const marketplaceIds = marketplaces.map(({ marketplaceId }) => marketplaceId).sort()
  const found = marketplaceIds.map((marketplaceId) => find({ sellerId, sku, marketplaceId }))
  return new Batch((await Promise.all(found)).filter((listing) => listing !== undefined))
}

const needsProcessing = (before: Listing | undefined, after: Listing) =>
  after.state !== 'LIVE' || before === undefined || affectsProcessing(before, after)

// Restrictions depend on the condition, and a marketplace-fulfilled listing needs an FNSKU.
const affectsProcessing = (before: Listing, after: Listing) =>
  before.productAttributes !== after.productAttributes ||
  before.conditionType !== after.conditionType ||
  before.channel !== after.channel
