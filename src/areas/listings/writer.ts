import { forgetSummaries } from '../../marketplace/market/index.ts'
import { type Offer, removeOffer, writeOffer } from '../../marketplace/offers.ts'
import type { SellingPlace } from '../../marketplace/participation.ts'
import type { Clock } from '../../platform/clock/port.ts'
import type { Reader, Transaction } from '../../platform/database/port.ts'
import type { Ids } from '../../platform/ids/port.ts'
import type { JobQueue } from '../../platform/jobs/port.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import { type Aftermath, type KnownListings, noAftermath } from './batch.ts'
import { type Change, type Outcome, workOut } from './change.ts'
import { eventsOf, offerChanged } from './events.ts'
import { distinctIssues, hasErrors, type Issue } from './issues.ts'
import { assess, type Listing, type ListingKey } from './listing.ts'
import { processListing, takeUp } from './processing.ts'
import { hasRelations, markRelated, RELATION_ATTRIBUTES, readRelations, replaceRelations } from './relations.ts'
import { deleteListing, findListing, recordSubmission, writeListing } from './store.ts'
import { fulfillmentTypeOf } from './terms.ts'

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
 * The one way by which listings change, whoever asks: the item, the submission, the offer that it prices and the events
 * that it causes are written in the transaction that is given, or not at all.
 */
export function createListingWriter({ clock, ids, jobs, outbox, delayMilliseconds }: WriterDependencies) {
  return {
    /** Works a submission out and writes nothing. A preview is this and no more. */
    async draft(
      reader: Reader,
      { sellerId, sku, places, change }: SubmissionRequest,
      known?: KnownListings,
    ): Promise<SubmissionDraft> {
      const now = clock.now()
      const drafts: SubmissionDraft['drafts'] = []
      const marketplaceIds = places.map((place) => place.marketplaceId)
      for (const place of places) {
        const { marketplaceId, currencyCode } = place
        const key = { sellerId, sku, marketplaceId }
        const before = known ? known.find(key) : await findListing(reader, key)
        const outcome = workOut(before, change, { key, marketplaceIds, now, currencyCode })
        drafts.push({ place, before, outcome })
      }
      const issues = distinctIssues(drafts.flatMap(({ outcome }) => outcome.issues))
      const asins = drafts.flatMap(({ place, before }) =>
        before?.asin === undefined ? [] : [{ marketplaceId: place.marketplaceId, asin: before.asin }],
      )
      return { isValid: !hasErrors(issues), issues, asins, drafts }
    },

    async submit(tx: Transaction, request: SubmissionRequest): Promise<SubmissionResult> {
      const { isValid, issues, asins, drafts } = await this.draft(tx, request)
      const submissionId = ids.next('submission')
      if (!isValid) return { submissionId, status: 'INVALID', issues, asins, isQueued: false }
      const { sellerId, sku, change } = request
      const marketplaceIds = drafts.map(({ place }) => place.marketplaceId)
      const now = clock.now()
      const aftermath = noAftermath()
      let isQueued = false
      for (const { place, before, outcome } of drafts) {
        const after = await write(tx, before, outcome, place, aftermath)
        const needsWork = needsProcessing(before, after)
        if (needsWork) await enqueue(tx, after, new Date(now.getTime() + delayMilliseconds))
        isQueued ||= needsWork
      }
      await this.settle(tx, aftermath)
      const operation = change.operation
      await recordSubmission(tx, { sellerId, submissionId, sku, marketplaceIds, operation, submittedAt: now })
      return { submissionId, status: 'ACCEPTED', issues, asins, isQueued }
    },

    /**
     * The same for one of many submissions that the worker has in hand already: both stages at once, and no record of
     * its own, since whoever brought them keeps one. Answers what is wrong; with errors nothing is written. The
     * aftermath is the caller's to settle, in the same transaction.
     */
    async submitAtOnce(
      tx: Transaction,
      request: SubmissionRequest,
      known: KnownListings,
      aftermath: Aftermath,
    ): Promise<Issue[]> {
      const { isValid, issues, drafts } = await this.draft(tx, request, known)
      if (!isValid) return issues
      for (const { place, before, outcome } of drafts) {
        const done = await processAtOnce(tx, before, outcome)
        known.put(await write(tx, before, { ...done, touched: outcome.touched }, place, aftermath))
      }
      return issues
    },

    /** Looks at a listing again that is there already. */
    async reprocess(tx: Transaction, before: Listing, place: SellingPlace): Promise<void> {
      const now = clock.now()
      const submitted = takeUp(before, { now, currencyCode: place.currencyCode })
      const aftermath = noAftermath()
      await write(tx, before, await processListing(tx, ids, submitted, now), place, aftermath)
      await this.settle(tx, aftermath)
    },

    async remove(tx: Transaction, before: Listing, aftermath: Aftermath): Promise<void> {
      const now = clock.now()
      const after = { ...before, isBuyable: false, isDiscoverable: false, issues: [] }
      await deleteListing(tx, before)
      await replaceRelations(tx, before, [])
      aftermath.events.push(...eventsOf(before, after, now, { isGone: true }))
      await writeOfferOf(tx, before, after, now, aftermath)
    },

    async submitRemoval(tx: Transaction, keys: readonly ListingKey[]): Promise<string> {
      const submissionId = ids.next('submission')
      const now = clock.now()
      const aftermath = noAftermath()
      for (const key of keys) {
        const before = await findListing(tx, key)
        if (before) await this.remove(tx, before, aftermath)
      }
      await this.settle(tx, aftermath)
      const [{ sellerId, sku }] = keys as [ListingKey]
      await recordSubmission(tx, {
        sellerId,
        submissionId,
        sku,
        marketplaceIds: keys.map((key) => key.marketplaceId),
        operation: 'DELETE',
        submittedAt: now,
      })
      return submissionId
    },

    async settle(tx: Transaction, { events, markets }: Aftermath): Promise<void> {
      await forgetSummaries(tx, markets)
      await outbox.append(tx, events)
    },
  }

  /** Writes a listing that was worked out: by a submission, or by processing. */
  async function write(
    tx: Transaction,
    before: Listing | undefined,
    { listing, terms, touched }: Pick<Outcome, 'listing' | 'terms' | 'touched'>,
    { currencyCode }: Pick<SellingPlace, 'currencyCode'>,
    aftermath: Aftermath,
  ): Promise<Listing> {
    if (!listing || !terms) throw new Error('A change with errors is not written')
    const now = clock.now()
    const after = { ...listing, ...assess(listing, terms, currencyCode) }
    await writeListing(tx, after, before)
    if (RELATION_ATTRIBUTES.some((name) => touched.has(name))) {
      const relations = readRelations(listing.sku, JSON.parse(listing.productAttributes))
      await replaceRelations(tx, listing, relations)
    }
    // Others may have named it before it was there.
    const isNamed = !before && (await hasRelations(tx, listing))
    if (isNamed) await markRelated(tx, listing, [listing.sku])
    aftermath.events.push(...eventsOf(before, after, now))
    await writeOfferOf(tx, before, after, now, aftermath)
    // A reduction that begins or ends changes the offer, though nobody touches it then.
    const mayChange = touched.has('purchasable_offer') || touched.size === 0
    if (terms.changesAt && mayChange) await enqueue(tx, after, terms.changesAt)
    return after
  }

  /** The second stage, if there is anything for it to do. */
  async function processAtOnce(tx: Transaction, before: Listing | undefined, outcome: Outcome) {
    const { listing, terms } = outcome
    if (!listing || !terms || !needsProcessing(before, listing)) return outcome
    const product = outcome.product ?? JSON.parse(listing.productAttributes)
    return processListing(tx, ids, { listing, terms, product }, clock.now())
  }

  async function enqueue(tx: Transaction, { sellerId, sku, marketplaceId }: Listing, runAt: Date): Promise<void> {
    const payload: ListingKey = { sellerId, sku, marketplaceId }
    await jobs.enqueue(tx, { kind: PROCESS_LISTING, payload, runAt })
  }

  /** The offer follows the listing: it is there while the listing can be bought. */
  async function writeOfferOf(
    tx: Transaction,
    before: Listing | undefined,
    listing: Listing,
    now: Date,
    aftermath: Aftermath,
  ): Promise<void> {
    if (!offerChanged(before, listing)) return
    const { sellerId, sku, marketplaceId, asin, conditionType } = listing
    if (before?.asin && before.asin !== asin) await removeOffer(tx, { marketplaceId, asin: before.asin, sellerId, sku })
    if (asin === undefined) return
    const offer = offerOf(listing, now)
    if (offer) {
      await writeOffer(tx, offer)
      aftermath.markets.push({ marketplaceId, asin })
    } else await removeOffer(tx, { marketplaceId, asin, sellerId, sku })
    const payload = { marketplaceId, asin, sku, conditionType }
    aftermath.events.push({ sellerId, type: 'OFFER_CHANGE', occurredAt: now, payload })
  }
}

const needsProcessing = (before: Listing | undefined, after: Listing) =>
  after.state !== 'LIVE' || before === undefined || mattersToProcessing(before, after)

/** Restrictions are of conditions, and the marketplace's own channels need a code; all else is about the product. */
const mattersToProcessing = (before: Listing, after: Listing) =>
  before.productAttributes !== after.productAttributes ||
  before.conditionType !== after.conditionType ||
  before.channel !== after.channel

/** What a listing offers to buyers, if it can be bought. */
export function offerOf(listing: Listing, now: Date): Offer | undefined {
  const { sellerId, sku, marketplaceId, asin, conditionType, price, quantity } = listing
  if (!listing.isBuyable || asin === undefined || !price) return undefined
  const fulfillmentType = fulfillmentTypeOf(listing)
  return {
    marketplaceId,
    asin,
    sellerId,
    sku,
    conditionType,
    fulfillmentType,
    priceMinor: price.minor,
    shippingMinor: 0,
    currencyCode: price.currencyCode,
    quantity: quantity ?? 1,
    // What the marketplace ships from its own warehouses is Prime everywhere.
    terms: fulfillmentType === 'AFN' ? { prime: 'NATIONAL' } : {},
    updatedAt: now,
  }
}
