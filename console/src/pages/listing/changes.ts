import type { paths } from '../../api/generated/service.d.ts'
import { formatMoney } from '../../ui/money.ts'

export type ListingHistory =
  paths['/console/v1/listings/{sku}/history']['get']['responses'][200]['content']['application/json']
type Entry = ListingHistory['entries'][number]

/** The corners of the plots. Prices in an earlier currency have no place on their axis. */
export function pointsOf({ entries, until }: ListingHistory) {
  const last = entries.at(-1)
  const currency = last?.price?.currencyCode
  const points = entries.map(({ from, price, quantity }) => ({
    time: Date.parse(from),
    price: price && (currency === undefined || price.currencyCode === currency) ? Number(price.amount) : null,
    quantity,
  }))
  const end = points.at(-1)
  return end ? [...points, { ...end, time: Date.parse(until) }] : []
}

/** What changed when, newest first. */
export function changesOf({ entries }: ListingHistory): { from: string; text: string }[] {
  return entries
    .flatMap((entry, index) => {
      const before = entries[index - 1]
      return before ? [{ from: entry.from, text: describeChange(before, entry) }] : []
    })
    .reverse()
}

function describeChange(before: Entry, after: Entry): string {
  const [oldPrice, newPrice] = [priceText(before), priceText(after)]
  const [oldQuantity, newQuantity] = [quantityText(before), quantityText(after)]
  return [
    ...(oldPrice === newPrice ? [] : [`price ${oldPrice} → ${newPrice}`]),
    ...(oldQuantity === newQuantity ? [] : [`quantity ${oldQuantity} → ${newQuantity}`]),
  ].join(', ')
}

const priceText = ({ price }: Entry) => (price ? formatMoney(price.amount, price.currencyCode) : 'none')
const quantityText = ({ quantity }: Entry) => (quantity === null ? 'none' : quantity.toLocaleString())
