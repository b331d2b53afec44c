import type { NewEvent } from '../../../platform/outbox/outbox.ts'
import { actionOf, type EnforcementAction, severityOf } from './issues.ts'
import { type Listing, statusesOf } from './listing.ts'

/** Creates the events for a changed or deleted listing. */
export function createEvents(
  before: Listing | undefined,
  listing: Listing,
  now: Date,
  { isDeleted = false }: { isDeleted?: boolean } = {},
): NewEvent[] {
  const events: NewEvent[] = []
  const { sellerId, sku, marketplaceId, asin, channel, quantity } = listing
  const emit = (type: string, payload: object) => events.push({ sellerId, type, occurredAt: now, payload })
  const item = { SellerId: sellerId, MarketplaceId: marketplaceId, Asin: asin ?? '', Sku: sku }

  const { isBuyable: wasBuyable = false, isDiscoverable: wasDiscoverable = false } = before ?? {}
  if (isDeleted || listing.isBuyable !== wasBuyable || listing.isDiscoverable !== wasDiscoverable) {
    emit('LISTINGS_ITEM_STATUS_CHANGE', {
      ...item,
      CreatedDate: listing.createdAt,
      Status: isDeleted ? ['DELETED'] : statusesOf(listing),
    })
  }
  if (listing.issues !== before?.issues && (listing.issues.length > 0 || (before?.issues.length ?? 0) > 0)) {
    const [was, is] = [summarizeIssues(before), summarizeIssues(listing)]
    if (JSON.stringify(was) !== JSON.stringify(is)) emit('LISTINGS_ITEM_ISSUES_CHANGE', { ...item, ...is })
  }
  // An unknown SKU has no stock.
  const knownQuantity = before?.state === 'UNKNOWN' ? undefined : before?.quantity
  if (channel === 'DEFAULT' && listing.state !== 'UNKNOWN' && quantity !== undefined && quantity !== knownQuantity) {
    emit('LISTINGS_ITEM_MFN_QUANTITY_CHANGE', {
      SellerId: sellerId,
      MarketplaceId: marketplaceId,
      FulfillmentChannelCode: channel,
      Sku: sku,
      Quantity: quantity,
    })
  }
  return events
}

type ReportedSeverity = 'ERROR' | 'WARNING' | 'NONE'

function summarizeIssues(listing: Listing | undefined): {
  Severities: ReportedSeverity[]
  EnforcementActions: EnforcementAction[]
} {
  const issues = listing?.issues ?? []
  const actions = issues.map(actionOf).filter((action) => action !== undefined)
  const severities = new Set(issues.map(severityOf).filter((severity) => severity !== 'INFO'))
  return {
    Severities: severities.size === 0 ? ['NONE'] : [...severities].sort(),
    EnforcementActions: [...new Set(actions)].sort(),
  }
}
