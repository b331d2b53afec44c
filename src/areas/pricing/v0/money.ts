import { landedMinor } from '../../../marketplace/market/index.ts'
import { formatMinor } from '../../../marketplace/money.ts'
import type { Offer } from '../../../marketplace/offers/offers.ts'

/** Money in the v0 format. */
export const toMoney = (minor: number, currencyCode: string) => ({
  CurrencyCode: currencyCode,
  Amount: Number(formatMinor(minor, currencyCode)),
})

export const renderPoints = ({ terms: { points }, currencyCode }: Offer) =>
  points && {
    Points: {
      PointsNumber: points.number,
      ...(points.valueMinor !== undefined && { PointsMonetaryValue: toMoney(points.valueMinor, currencyCode) }),
    },
  }

export const renderPrices = (offer: Offer) => ({
  LandedPrice: toMoney(landedMinor(offer), offer.currencyCode),
  ListingPrice: toMoney(offer.priceMinor, offer.currencyCode),
  Shipping: toMoney(offer.shippingMinor, offer.currencyCode),
  ...renderPoints(offer),
})
