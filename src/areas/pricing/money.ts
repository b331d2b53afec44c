import { formatMinor } from '../../marketplace/money.ts'
import type { OfferTerms } from '../../marketplace/offers/offers.ts'

export const toMoney = (minor: number, currencyCode: string) => ({
  amount: Number(formatMinor(minor, currencyCode)),
  currencyCode,
})

export const renderPoints = ({ points }: OfferTerms, currencyCode: string) =>
  points && {
    pointsNumber: points.number,
    ...(points.valueMinor !== undefined && { pointsMonetaryValue: toMoney(points.valueMinor, currencyCode) }),
  }
