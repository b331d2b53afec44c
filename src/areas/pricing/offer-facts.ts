import type { CatalogItem } from '../../marketplace/catalog/index.ts'
import { toMinor } from '../../marketplace/money.ts'
import { splitCondition } from '../../marketplace/offers/conditions.ts'
import type { Offer } from '../../marketplace/offers/offers.ts'

/** Offers of one condition in a response or a notification. */
export const MAX_OFFERS = 20

// What is in the marketplace's warehouse leaves it within a day; a seller has two.
const HOURS_UNTIL_SHIPPED = { AFN: [0, 24], MFN: [24, 48] } as const

/** Souk is not told how fast a seller ships: this is what the channel promises. */
export function renderShippingTime({ fulfillmentType }: Pick<Offer, 'fulfillmentType'>) {
  const [minimumHours, maximumHours] = HOURS_UNTIL_SHIPPED[fulfillmentType]
  return { minimumHours, maximumHours, availabilityType: 'NOW' as const }
}

/** `VeryGood` as the older interfaces write it: `very_good`. */
export const renderSubCondition = (conditionType: string): string =>
  splitCondition(conditionType)
    .subCondition.replace(/(?<=[a-z])[A-Z]/g, '_$&')
    .toLowerCase()

/** How well a product sells, in each class that it is ranked in. */
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

/** What the manufacturer suggests, if the catalogue says so. */
export function listPriceMinor({ attributes }: CatalogItem, currencyCode: string): number | undefined {
  const entries = attributes?.list_price
  const entry = (Array.isArray(entries) ? entries : []).find((one) => one?.currency === currencyCode)
  return typeof entry?.value === 'number' && entry.value >= 0 ? toMinor(entry.value, currencyCode) : undefined
}
