import type { Marketplace } from '../../marketplace/accounts/marketplaces.ts'
import { type CatalogItem, type Restriction, restrictionsFor } from '../../marketplace/catalog/index.ts'
import type { ConditionType } from '../../marketplace/offers/conditions.ts'
import type { ListingRestriction, Reason, ReasonCode } from './schema.ts'

const english = {
  APPROVAL_REQUIRED: 'You need approval to sell this product.',
  NOT_ELIGIBLE: 'You cannot sell this product.',
  ASIN_NOT_FOUND: 'No product in the marketplace has this ASIN.',
  requestApproval: 'Request approval',
}

const german: typeof english = {
  APPROVAL_REQUIRED: 'Sie brauchen eine Genehmigung, bevor Sie dieses Produkt verkaufen können.',
  NOT_ELIGIBLE: 'Sie können dieses Produkt nicht verkaufen.',
  ASIN_NOT_FOUND: 'Der Marktplatz hat kein Produkt mit dieser ASIN.',
  requestApproval: 'Genehmigung beantragen',
}

// Other locales fall back to English.
const textsIn = (locale: string) => (locale.startsWith('de') ? german : english)

export interface RestrictionQuery {
  asin: string
  sellerId: string
  conditionType?: ConditionType
  locale: string
}

/** Renders the restrictions of a product in a marketplace. Default: for all conditions. */
export function renderRestrictions(
  item: CatalogItem | undefined,
  marketplace: Marketplace,
  { asin, sellerId, conditionType, locale }: RestrictionQuery,
): ListingRestriction[] {
  const { marketplaceId } = marketplace
  if (!item) {
    const reasons = [toReason('ASIN_NOT_FOUND', locale)]
    return [{ marketplaceId, ...(conditionType && { conditionType }), reasons }]
  }
  const reasonsByCondition = new Map<ConditionType | undefined, Reason[]>()
  for (const restriction of restrictionsFor(item, sellerId, conditionType)) {
    const conditions = conditionType ? [conditionType] : (restriction.conditionTypes ?? [undefined])
    for (const condition of conditions) {
      const reasons = reasonsByCondition.get(condition) ?? []
      reasonsByCondition.set(condition, [...reasons, renderReason(restriction)])
    }
  }
  return [...reasonsByCondition].map(([condition, reasons]) => ({
    marketplaceId,
    ...(condition && { conditionType: condition }),
    reasons,
  }))

  function renderReason({ reason, approvalUrl }: Restriction): Reason {
    if (reason !== 'APPROVAL_REQUIRED') return toReason(reason, locale)
    const resource = approvalUrl ?? `https://${marketplace.domainName}/approvals?asin=${asin}`
    const link = { resource, verb: 'GET', title: textsIn(locale).requestApproval, type: 'text/html' } as const
    return { ...toReason(reason, locale), links: [link] }
  }
}

const toReason = (reasonCode: ReasonCode, locale: string): Reason => ({
  message: textsIn(locale)[reasonCode],
  reasonCode,
})
