import type { Restriction } from '../../marketplace/catalog/index.ts'
import { otherSeller } from './identities.ts'
import { products } from './orders.ts'

export type Translated = readonly [english: string, german: string]

export const colors = {
  grey: 'grau',
  blue: 'blau',
  orange: 'orange',
  black: 'schwarz',
  brown: 'braun',
  white: 'weiß',
  red: 'rot',
  green: 'grün',
  beige: 'beige',
} as const
export type Color = keyof typeof colors

const fashion = { id: '5000', name: ['Fashion', 'Mode'] as Translated }
const home = { id: '6000', name: ['Home', 'Haus'] as Translated }

export const categories = {
  SHOES: { brand: 'Bazaar', id: '5001', name: ['Shoes', 'Schuhe'] as Translated, parent: fashion },
  SHIRT: { brand: 'Medina Wear', id: '5002', name: ['Shirts', 'Hemden'] as Translated, parent: fashion },
  LUGGAGE: { brand: 'Caravan', id: '5003', name: ['Luggage', 'Reisegepäck'] as Translated, parent: fashion },
  HOME: { brand: 'Riad Living', id: '6001', name: ['Living', 'Wohnen'] as Translated, parent: home },
}

export interface Model {
  productType: keyof typeof categories
  name: Translated
  priceMinor: number
  /** Only competitors sell the last color. */
  colors: readonly Color[]
  restrictions?: Restriction[]
}

/** The shoes match the order items: same sequence, same prices. */
const shoe = (number: number, name: Translated, colors: readonly Color[]): Model => ({
  productType: 'SHOES',
  name,
  priceMinor: products[number - 1]?.priceMinor ?? 0,
  colors,
})

export const models: readonly Model[] = [
  shoe(1, ['Trail running shoe', 'Trail-Laufschuh'], ['grey', 'blue', 'orange', 'black', 'red']),
  shoe(2, ['Leather ankle boot', 'Stiefelette aus Leder'], ['brown', 'black', 'beige', 'red', 'grey']),
  shoe(3, ['Canvas sneaker', 'Sneaker aus Segeltuch'], ['white', 'blue', 'red', 'green', 'black']),
  shoe(4, ['Hiking boot, waterproof', 'Wanderstiefel, wasserdicht'], ['brown', 'grey', 'green', 'black', 'orange']),
  shoe(5, ['House slipper, wool', 'Hausschuh aus Wolle'], ['grey', 'red', 'blue', 'beige', 'green']),
  shoe(6, ['Sandal with cork sole', 'Sandale mit Korksohle'], ['beige', 'brown', 'white', 'black', 'red']),
  {
    productType: 'SHIRT',
    name: ['Linen shirt with long sleeves', 'Leinenhemd mit langen Ärmeln'],
    priceMinor: 3990,
    colors: ['white', 'blue', 'green', 'beige', 'black'],
  },
  {
    productType: 'SHIRT',
    name: ['Organic cotton T-shirt', 'T-Shirt aus Biobaumwolle'],
    priceMinor: 1995,
    colors: ['black', 'white', 'grey', 'orange', 'blue'],
  },
  {
    productType: 'LUGGAGE',
    name: ['Cabin suitcase with four wheels', 'Kabinenkoffer mit vier Rollen'],
    priceMinor: 8900,
    colors: ['black', 'blue', 'red', 'green', 'orange'],
  },
  {
    productType: 'LUGGAGE',
    name: ['Canvas travel bag', 'Reisetasche aus Segeltuch'],
    priceMinor: 6450,
    colors: ['beige', 'grey', 'brown', 'black', 'green'],
  },
  {
    productType: 'HOME',
    name: ['Ceramic table lamp', 'Tischlampe aus Keramik'],
    priceMinor: 4990,
    colors: ['white', 'grey', 'green', 'orange', 'blue'],
    restrictions: [{ reason: 'NOT_ELIGIBLE', conditionTypes: ['used_good', 'used_acceptable', 'collectible_good'] }],
  },
  {
    productType: 'HOME',
    name: ['Hand-woven kilim rug', 'Handgewebter Kelimteppich'],
    priceMinor: 17900,
    colors: ['red', 'blue', 'brown', 'beige', 'white'],
    restrictions: [{ reason: 'APPROVAL_REQUIRED', exemptSellerIds: [otherSeller.sellerId] }],
  },
]
