import type { CatalogItem, Restriction } from './item.ts'

/** Returns the restrictions that apply to a seller, in one condition or in any. */
export function restrictionsFor(
  { restrictions = [] }: Pick<CatalogItem, 'restrictions'>,
  sellerId: string,
  conditionType?: string,
): Restriction[] {
  return restrictions.filter(
    ({ conditionTypes, sellerIds, exemptSellerIds }) =>
      (sellerIds?.includes(sellerId) ?? true) &&
      !exemptSellerIds?.includes(sellerId) &&
      (conditionType === undefined || (conditionTypes?.some((type) => type === conditionType) ?? true)),
  )
}
