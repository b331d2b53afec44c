import { isDeepStrictEqual } from 'node:util'
import type { SellerMarketplace } from '../../../marketplace/accounts/participation.ts'
import { removeOffers, writeOffers } from '../../../marketplace/offers/offers.ts'
import type { Clock } from '../../../platform/clock/port.ts'
import type { Reader, Transaction } from '../../../platform/database/port.ts'
import type { Ids } from '../../../platform/ids/port.ts'
import type { JobQueue } from '../../../platform/jobs/port.ts'
import type { Outbox } from '../../../platform/outbox/outbox.ts'
import { applyChange, type Change, type ChangeResult } from '../domain/change.ts'
import { distinctIssues, hasErrors, type Issue } from '../domain/issues.ts'
import { assessListing, type Listing, type ListingKey } from '../domain/listing.ts'
import { createEvents } from '../domain/listing-events.ts'
import { parseRelations, RELATION_ATTRIBUTES } from '../domain/relations.ts'
import { findListing, writeListings } from '../store/listing-store.ts'
import { writeRelations } from '../store/relation-store.ts'
import { Batch, listingId } from './batch.ts'
import { syncOffer } from './listing-offer.ts'
import { processListing, toSubmitted } from './processing.ts'

export interface WriterDependencies {
  clock: Clock
  ids: Ids
  jobs: JobQueue
  outbox: Outbox
  /** How long a submission waits to be processed at least. */
  delayMilliseconds: number
}

export const PROCESS_LISTING = 'processListing'

export interface SubmissionRequest {
  sellerId: string
  sku: string
  marketplaces: readonly SellerMarketplace[]
  change: Change
}

/** What a submission has to say for itself, written or not. */
export interface SubmissionSummary {
  issues: Issue[]
  /** By marketplace; those that have no product of the catalogue yet are left out. */
  asins: { marketplaceId: string; asin: string }[]
}

export interface SubmissionDraft extends SubmissionSummary {
  isValid: boolean
  drafts: { place: SellerMarketplace; before: Listing | undefined; result: ChangeResult }[]
}

export interface SubmissionResult extends SubmissionSummary {
  submissionId: string
  status: 'ACCEPTED' | 'INVALID'
}

export type ListingWriter = ReturnType<typeof createListingWriter>

/**
 * The one way by which listings change, whoever asks: the item, the offer that it prices and the events that it causes
 * are written in the transaction that is given, or not at all.
 */
export function createListingWriter({ clock, ids, jobs, outbox, delayMilliseconds }: WriterDependencies) {
  return {
    /** Computes a submission without writing it. */
    preview: draft,

    async submit(tx: Transaction, request: SubmissionRequest, batch: Batch): Promise<SubmissionResult> {
      const { isValid, issues, asins, drafts } = draft(request, batch)
      const submissionId = ids.next('submission')
      if (!isValid) return { submissionId, status: 'INVALID', issues, asins }
      const now = clock.now()
      for (const { place, before, result: outcome } of drafts) {
        const after = putInBatch(batch, before, outcome, outcome.touched, place)
        if (!needsProcessing(before, after)) continue
        batch.scheduleProcessing(after, new Date(now.getTime() + delayMilliseconds))
      }
      await this.flush(tx, batch)
      return { submissionId, status: 'ACCEPTED', issues, asins }
    },

    /**
     * The same for one of many submissions that the worker is processing: both stages at once. Answers what is wrong;
     * with errors nothing changes. The caller settles the batch, in the same transaction.
     */
    async submitAndProcess(tx: Transaction, request: SubmissionRequest, batch: Batch): Promise<Issue[]> {
      const { isValid, issues, drafts } = draft(request, batch)
      if (!isValid) return issues
      for (const { place, before, result: outcome } of drafts) {
        const isDone = outcome.listing && !needsProcessing(before, outcome.listing)
        putInBatch(batch, before, isDone ? outcome : await processNow(tx, outcome), outcome.touched, place)
      }
      return issues
    },

    /** Looks at a listing again that is there already. */
    async reprocess(tx: Transaction, before: Listing, place: SellerMarketplace): Promise<void> {
      const now = clock.now()
      const submitted = toSubmitted(before, { now, currencyCode: place.currencyCode })
      const batch = new Batch([before])
      putInBatch(batch, before, await processListing(tx, ids, submitted, now), NO_ATTRIBUTES, place)
      await this.flush(tx, batch)
    },

    remove(batch: Batch, before: Listing): void {
      const now = clock.now()
      const after = { ...before, isBuyable: false, isDiscoverable: false, issues: [] }
      batch.remove(before)
      if (before.hasRelations) batch.setRelations(before, [])
      batch.events.push(...createEvents(before, after, now, { isGone: true }))
      syncOffer(batch, before, after, now)
    },

    async submitRemoval(tx: Transaction, subject: SubmissionTarget): Promise<string> {
      const batch = await loadBatch(tx, subject)
      for (const { marketplaceId } of subject.marketplaces) {
        const before = batch.find({ ...subject, marketplaceId })
        if (before) this.remove(batch, before)
      }
      await this.flush(tx, batch)
      return ids.next('submission')
    },

    /** Writes all that a batch has come to. */
    async flush(tx: Transaction, batch: Batch): Promise<void> {
      const { changes } = batch
      await writeListings(tx, changes)
      const newListings = changes.flatMap(({ before, after }) => (after && !before ? [after] : []))
      await writeRelations(tx, batch.relations, newListings)
      await writeOffers(tx, batch.changedOffers)
      await removeOffers(tx, batch.removedOffers)
      for (const { key, at } of batch.scheduledJobs) {
        const payload: ListingKey = { sellerId: key.sellerId, sku: key.sku, marketplaceId: key.marketplaceId }
        // One job for a listing, however often it changes: it looks at the listing as it is then, and at what is next.
        await jobs.enqueue(tx, { kind: PROCESS_LISTING, key: listingId(key), payload, runAt: at })
      }
      await outbox.append(tx, batch.events)
    },
  }

  function draft({ sellerId, sku, marketplaces: places, change }: SubmissionRequest, batch: Batch): SubmissionDraft {
    const now = clock.now()
    const marketplaceIds = places.map((place) => place.marketplaceId)
    const drafts = places.map((place) => {
      const { marketplaceId, currencyCode } = place
      const key = { sellerId, sku, marketplaceId }
      const before = batch.find(key)
      return { place, before, result: applyChange(before, change, { key, marketplaceIds, now, currencyCode }) }
    })
    const issues = distinctIssues(drafts.flatMap(({ result: outcome }) => outcome.issues))
    const asins = drafts.flatMap(({ place, before }) =>
      before?.asin === undefined ? [] : [{ marketplaceId: place.marketplaceId, asin: before.asin }],
    )
    return { isValid: !hasErrors(issues), issues, asins, drafts }
  }

  /** Puts a listing into the batch that was worked out: by a submission, or by processing. */
  function putInBatch(
    batch: Batch,
    before: Listing | undefined,
    { listing, terms }: Pick<ChangeResult, 'listing' | 'terms'>,
    touched: readonly string[],
    { currencyCode }: Pick<SellerMarketplace, 'currencyCode'>,
  ): Listing {
    if (!listing || !terms) throw new Error('A change with errors is not written')
    const now = clock.now()
    const after = { ...listing, ...assessListing(listing, terms, currencyCode) }
    if (RELATION_ATTRIBUTES.some((name) => touched.includes(name))) {
      const relations = parseRelations(after)
      // Most say again what they said before.
      const isKnown = before?.hasRelations && isDeepStrictEqual(parseRelations(before), relations)
      if (!isKnown) batch.setRelations(after, relations)
      after.hasRelations ||= relations.length > 0
    }
    batch.put(after)
    batch.events.push(...createEvents(before, after, now))
    syncOffer(batch, before, after, now)
    // A reduction that begins or ends changes the offer, though nobody touches it then.
    const mayChangePrice = touched.includes('purchasable_offer') || touched.length === 0
    if (terms.nextChangeAt && mayChangePrice) batch.scheduleProcessing(after, terms.nextChangeAt)
    return after
  }

  /** The second stage. */
  async function processNow(tx: Transaction, { listing, terms, product }: ChangeResult) {
    if (!listing || !terms) throw new Error('A change with errors is not processed')
    const attributes = product ?? JSON.parse(listing.productAttributes)
    return processListing(tx, ids, { listing, terms, product: attributes }, clock.now())
  }
}

/** Which listings a submission is about. */
type SubmissionTarget = Pick<SubmissionRequest, 'sellerId' | 'sku'> & {
  marketplaces: readonly Pick<SellerMarketplace, 'marketplaceId'>[]
}

const NO_ATTRIBUTES: readonly string[] = []

/** Reads the listings that a submission is about. */
export async function loadBatch(reader: Reader, subject: SubmissionTarget): Promise<Batch> {
  const { sellerId, sku, marketplaces: places } = subject
  const found = places.map(({ marketplaceId }) => findListing(reader, { sellerId, sku, marketplaceId }))
  return new Batch((await Promise.all(found)).filter((listing) => listing !== undefined))
}

const needsProcessing = (before: Listing | undefined, after: Listing) =>
  after.state !== 'LIVE' || before === undefined || affectsProcessing(before, after)

/** Restrictions are of conditions, and the marketplace's own channels need a code; all else is about the product. */
const affectsProcessing = (before: Listing, after: Listing) =>
  before.productAttributes !== after.productAttributes ||
  before.conditionType !== after.conditionType ||
  before.channel !== after.channel
