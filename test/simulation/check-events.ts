import type { EndDependencies } from './check-end.ts'
import { skuOf } from './steps.ts'
import type { LoggedEvent } from './stored-work.ts'

interface Payloads {
  feedProcessingFinishedNotification?: { feedId: string }
  reportProcessingFinishedNotification?: { reportId: string }
  Sku?: string
  Quantity?: number
}

/** What happened is announced: the end of each feed and report once, and the quantity that a listing has in the end. */
export function checkEvents({ history, marketplace, violate }: EndDependencies, events: readonly LoggedEvent[]): void {
  const payloads = events.map(({ payload, sellerId, type }) => ({ ...(payload as Payloads), sellerId, type }))
  const countOf = (isMeant: (payload: Payloads) => boolean) => payloads.filter(isMeant).length
  for (const { feedId } of history.feeds.values()) {
    if (feedId === undefined) continue
    const times = countOf((one) => one.feedProcessingFinishedNotification?.feedId === feedId)
    if (times !== 1) violate('the end of a feed is announced once', `${times} times for feed ${feedId}`)
  }
  for (const { reportId } of history.reports.values()) {
    const times = countOf((one) => one.reportProcessingFinishedNotification?.reportId === reportId)
    if (times !== 1) violate('the end of a report is announced once', `${times} times for report ${reportId}`)
  }
  for (const [key, operations] of history.operations) {
    const [seller, sku] = key.split('/').map(Number) as [number, number]
    const { sellerId } = marketplace.sellers[seller] as { sellerId: string }
    const last = payloads.findLast(
      (one) =>
        one.type === 'LISTINGS_ITEM_MFN_QUANTITY_CHANGE' && one.sellerId === sellerId && one.Sku === skuOf(seller, sku),
    )
    const read = operations.findLast(({ input }) => input.kind === 'read')?.input
    const listing = read?.kind === 'read' ? read.listing : undefined
    // A SKU that was only patched has no title, and is no listing.
    if (listing?.title === undefined || listing.quantity === last?.Quantity) continue
    violate(
      'the last announced quantity is the last one',
      `${key} has ${listing.quantity}, announced ${last?.Quantity}`,
    )
  }
}
