import type { CatalogItem } from '../../marketplace/catalog/index.ts'
import { toMinor } from '../../marketplace/money.ts'
import { splitCondition } from '../../marketplace/offers/conditions.ts'
import type { Offer } from '../../marketplace/offers/offers.ts'

/** Maximum number of offers of one condition in a response or a notification. */
export const MAX_OFFERS = 20

// The marketplace's warehouse ships within a day, a seller within two.
const HOURS_UNTIL_SHIPPED = { AFN: [0, 24], MFN: [24, 48] } as const

/** Souk has no handling times of sellers, so the time depends on the fulfillment channel alone. */
export function renderShippingTime({ fulfillmentType }: Pick<Offer, 'fulfillmentType'>) {
  const [minimumHours, maximumHours] = HOURS_UNTIL_SHIPPED[fulfillmentType]
  return { minimumHours, maximumHours, availabilityType: 'NOW' as const }
}

/** The format of older API versions: `very_good` for `VeryGood`. */
export const renderSubCondition = (conditionType: string): string =>
  splitCondition(conditionType)
    .subCondition.replace(/(?<=[a-z])[A-Z]/g, '_$&')
    .toLowerCase()

export const salesRanksOf = ({ salesRanks }: CatalogItem): { category: string; rank: number }[] => [
  ...(salesRanks?.displayGroupRanks ?? []).map(({ websiteDisplayGroup, rank }) => ({
    category: websiteDisplayGroup,
    rank,
  })),
  ...(salesRanks?.classificationRanks ?? []).map(({ classificationId, rank }) => ({
    category: classificationId,
    rank,
  })),
]

/** The manufacturer's suggested price, if the catalog item has one. */
export function listPriceMinor({ attributes }: CatalogItem, currencyCode: string): number | undefined {
  const entries = attributes?.list_price
  const entry = (Array.isArray(entries) ? entries : []).find((one) => one?.currency === currencyCode)
  return typeof entry?.value === 'number' && entry.value >= 0 ? toMinor(entry.value, currencyCode) : undefined
}
