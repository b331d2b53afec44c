import { isDeepStrictEqual } from 'node:util'
import type { SellingPlace } from '../../../marketplace/accounts/participation.ts'
import { removeOffers, writeOffers } from '../../../marketplace/offers/offers.ts'
import type { Clock } from '../../../platform/clock/port.ts'
import type { Reader, Transaction } from '../../../platform/database/port.ts'
import type { Ids } from '../../../platform/ids/port.ts'
import type { JobQueue } from '../../../platform/jobs/port.ts'
import type { Outbox } from '../../../platform/outbox/outbox.ts'
import { type Change, type Outcome, workOut } from '../domain/change.ts'
import { distinctIssues, hasErrors, type Issue } from '../domain/issues.ts'
import { assess, type Listing, type ListingKey } from '../domain/listing.ts'
import { eventsOf } from '../domain/listing-events.ts'
import { findListing, writeListings } from '../store/listing-store.ts'
import { RELATION_ATTRIBUTES, readRelations, writeRelations } from '../store/relation-store.ts'
import { Batch, nameOf } from './batch.ts'
import { changeOffer } from './listing-offer.ts'
import { processListing, takeUp } from './processing.ts'

export interface WriterDependencies {
  clock: Clock
  ids: Ids
  jobs: Pick<JobQueue, 'enqueue'>
  outbox: Outbox
  /** How long a submission waits to be processed at least. */
  delayMilliseconds: number
}

export const PROCESS_LISTING = 'processListing'

export interface SubmissionRequest {
  sellerId: string
  sku: string
  places: readonly SellingPlace[]
  change: Change
}

/** What a submission has to say for itself, written or not. */
export interface Findings {
  issues: Issue[]
  /** By marketplace; those that have no product of the catalogue yet are left out. */
  asins: { marketplaceId: string; asin: string }[]
}

export interface SubmissionDraft extends Findings {
  isValid: boolean
  drafts: { place: SellingPlace; before: Listing | undefined; outcome: Outcome }[]
}

export interface SubmissionResult extends Findings {
  submissionId: string
  status: 'ACCEPTED' | 'INVALID'
  /** Whether there is work for the worker now. */
  isQueued: boolean
}

export type ListingWriter = ReturnType<typeof createListingWriter>

/**
 * The one way by which listings change, whoever asks: the item, the offer that it prices and the events that it causes
 * are written in the transaction that is given, or not at all.
 */
export function createListingWriter({ clock, ids, jobs, outbox, delayMilliseconds }: WriterDependencies) {
  return {
    /** Works a submission out and writes nothing. */
    async preview(reader: Reader, request: SubmissionRequest): Promise<SubmissionDraft> {
      return draft(request, await takeInHand(reader, request))
    },

    async submit(tx: Transaction, request: SubmissionRequest): Promise<SubmissionResult> {
      const batch = await takeInHand(tx, request)
      const { isValid, issues, asins, drafts } = draft(request, batch)
      const submissionId = ids.next('submission')
      if (!isValid) return { submissionId, status: 'INVALID', issues, asins, isQueued: false }
      const now = clock.now()
      let isQueued = false
      for (const { place, before, outcome } of drafts) {
        const after = put(batch, before, outcome, outcome.touched, place)
        if (!needsProcessing(before, after)) continue
        batch.visit(after, new Date(now.getTime() + delayMilliseconds))
        isQueued = true
      }
      await this.settle(tx, batch)
      return { submissionId, status: 'ACCEPTED', issues, asins, isQueued }
    },

    /**
     * The same for one of many submissions that the worker is processing: both stages at once. Answers what is wrong;
     * with errors nothing changes. The caller settles the batch, in the same transaction.
     */
    async submitAtOnce(tx: Transaction, request: SubmissionRequest, batch: Batch): Promise<Issue[]> {
      const { isValid, issues, drafts } = draft(request, batch)
      if (!isValid) return issues
      for (const { place, before, outcome } of drafts) {
        const isDone = outcome.listing && !needsProcessing(before, outcome.listing)
        put(batch, before, isDone ? outcome : await processAtOnce(tx, outcome), outcome.touched, place)
      }
      return issues
    },

    /** Looks at a listing again that is there already. */
    async reprocess(tx: Transaction, before: Listing, place: SellingPlace): Promise<void> {
      const now = clock.now()
      const submitted = takeUp(before, { now, currencyCode: place.currencyCode })
      const batch = new Batch([before])
      put(batch, before, await processListing(tx, ids, submitted, now), NOTHING, place)
      await this.settle(tx, batch)
    },

    remove(batch: Batch, before: Listing): void {
      const now = clock.now()
      const after = { ...before, isBuyable: false, isDiscoverable: false, issues: [] }
      batch.remove(before)
      if (before.hasRelations) batch.relate(before, [])
      batch.events.push(...eventsOf(before, after, now, { isGone: true }))
      changeOffer(batch, before, after, now)
    },

    async submitRemoval(tx: Transaction, subject: Subject): Promise<string> {
      const batch = await takeInHand(tx, subject)
      for (const { marketplaceId } of subject.places) {
        const before = batch.find({ ...subject, marketplaceId })
        if (before) this.remove(batch, before)
      }
      await this.settle(tx, batch)
      return ids.next('submission')
    },

    /** Writes all that a batch has come to. */
    async settle(tx: Transaction, batch: Batch): Promise<void> {
      const { changes } = batch
      await writeListings(tx, changes)
      const newcomers = changes.flatMap(({ before, after }) => (after && !before ? [after] : []))
      await writeRelations(tx, batch.relations, newcomers)
      await writeOffers(tx, batch.offered)
      await removeOffers(tx, batch.withdrawn)
      for (const { key, at } of batch.visits) {
        const payload: ListingKey = { sellerId: key.sellerId, sku: key.sku, marketplaceId: key.marketplaceId }
        // One job for a listing, however often it changes: it looks at the listing as it is then, and at what is next.
        await jobs.enqueue(tx, { kind: PROCESS_LISTING, key: nameOf(key), payload, runAt: at })
      }
      await outbox.append(tx, batch.events)
    },
  }

  function draft({ sellerId, sku, places, change }: SubmissionRequest, batch: Batch): SubmissionDraft {
    const now = clock.now()
    const marketplaceIds = places.map((place) => place.marketplaceId)
    const drafts = places.map((place) => {
      const { marketplaceId, currencyCode } = place
      const key = { sellerId, sku, marketplaceId }
      const before = batch.find(key)
      return { place, before, outcome: workOut(before, change, { key, marketplaceIds, now, currencyCode }) }
    })
    const issues = distinctIssues(drafts.flatMap(({ outcome }) => outcome.issues))
    const asins = drafts.flatMap(({ place, before }) =>
      before?.asin === undefined ? [] : [{ marketplaceId: place.marketplaceId, asin: before.asin }],
    )
    return { isValid: !hasErrors(issues), issues, asins, drafts }
  }

  /** Puts a listing into the batch that was worked out: by a submission, or by processing. */
  function put(
    batch: Batch,
    before: Listing | undefined,
    { listing, terms }: Pick<Outcome, 'listing' | 'terms'>,
    touched: readonly string[],
    { currencyCode }: Pick<SellingPlace, 'currencyCode'>,
  ): Listing {
    if (!listing || !terms) throw new Error('A change with errors is not written')
    const now = clock.now()
    const after = { ...listing, ...assess(listing, terms, currencyCode) }
    if (RELATION_ATTRIBUTES.some((name) => touched.includes(name))) {
      const relations = readRelations(after)
      // Most say again what they said before.
      const isKnown = before?.hasRelations && isDeepStrictEqual(readRelations(before), relations)
      if (!isKnown) batch.relate(after, relations)
      after.hasRelations ||= relations.length > 0
    }
    batch.put(after)
    batch.events.push(...eventsOf(before, after, now))
    changeOffer(batch, before, after, now)
    // A reduction that begins or ends changes the offer, though nobody touches it then.
    const mayChange = touched.includes('purchasable_offer') || touched.length === 0
    if (terms.changesAt && mayChange) batch.visit(after, terms.changesAt)
    return after
  }

  /** The second stage. */
  async function processAtOnce(tx: Transaction, { listing, terms, product }: Outcome) {
    if (!listing || !terms) throw new Error('A change with errors is not processed')
    const attributes = product ?? JSON.parse(listing.productAttributes)
    return processListing(tx, ids, { listing, terms, product: attributes }, clock.now())
  }
}

/** Which listings a submission is about. */
type Subject = Pick<SubmissionRequest, 'sellerId' | 'sku'> & { places: readonly Pick<SellingPlace, 'marketplaceId'>[] }

const NOTHING: readonly string[] = []

async function takeInHand(reader: Reader, subject: Subject): Promise<Batch> {
  const { sellerId, sku, places } = subject
  const found = places.map(({ marketplaceId }) => findListing(reader, { sellerId, sku, marketplaceId }))
  return new Batch((await Promise.all(found)).filter((listing) => listing !== undefined))
}

const needsProcessing = (before: Listing | undefined, after: Listing) =>
  after.state !== 'LIVE' || before === undefined || mattersToProcessing(before, after)

/** Restrictions are of conditions, and the marketplace's own channels need a code; all else is about the product. */
const mattersToProcessing = (before: Listing, after: Listing) =>
  before.productAttributes !== after.productAttributes ||
  before.conditionType !== after.conditionType ||
  before.channel !== after.channel
