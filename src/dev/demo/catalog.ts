import { type CatalogItem, checkDigit } from '../../marketplace/catalog/index.ts'
import { DE, US } from './identities.ts'
import { type Color, categories, colors, type Model, models, type Translated } from './models.ts'
import { products } from './orders.ts'

type Language = 'en_US' | 'de_DE'

const PARENT = 9
const byColor = { theme: 'COLOR', attributes: ['color'] }

/** The ASIN of a model's first color has no suffix: B0SOUK0001 is the first shoe of the orders. */
const asinOf = (number: number, variant: number) => `B0SOUK0${variant}${String(number).padStart(2, '0')}`

/** All products in the United States, and the first color of each model in Germany. */
export const demoCatalog: readonly CatalogItem[] = models.flatMap((model, index) => {
  const number = index + 1
  const american = model.colors.map((_, variant) => buildItem(model, number, variant, 'en_US'))
  return [...american, ...parentOf(model, number), buildItem(model, number, 0, 'de_DE')]
})

export const demoItemsIn = (marketplaceId: string): CatalogItem[] =>
  demoCatalog.filter((item) => item.marketplaceId === marketplaceId && item.itemClassification !== 'VARIATION_PARENT')

/** Products of the demo sellers: all but the last color of each model. */
export const demoSellerItemsIn = (marketplaceId: string): CatalogItem[] =>
  demoItemsIn(marketplaceId).filter(({ asin }) => {
    const model = models[Number(asin.slice(-2)) - 1]
    return Number(asin.at(-3)) < (model?.colors.length ?? 0) - 1
  })

/** The price of the demo sellers. Competitors' prices are around it. */
export const demoPriceMinor = (asin: string): number => models[Number(asin.slice(-2)) - 1]?.priceMinor ?? 0

function buildItem(model: Model, number: number, variant: number, language: Language): CatalogItem {
  const { productType, restrictions } = model
  const { brand, id, name, parent } = categories[productType]
  const asin = asinOf(number, variant)
  const marketplaceId = language === 'en_US' ? US : DE
  const localize = ([english, german]: Translated) => (language === 'en_US' ? english : german)
  const color = model.colors[variant] as Color
  const localizedColor = localize([color, colors[color]])
  const sold = language === 'en_US' ? products.find((product) => product.asin === asin) : undefined
  const itemName = sold?.title ?? `${localize(model.name)}, ${localizedColor}`
  const attribute = (value: string) => [{ value, language_tag: language, marketplace_id: marketplaceId }]
  const isVariation = productType === 'SHIRT' && language === 'en_US'
  return {
    marketplaceId,
    asin,
    productType,
    itemName,
    brand,
    manufacturer: brand,
    modelNumber: `SK-${number}`,
    partNumber: `SK-${number}-${variant}`,
    color: localizedColor,
    itemClassification: 'BASE_PRODUCT',
    packageQuantity: 1,
    releaseDate: '2025-03-01',
    websiteDisplayGroup: `${productType.toLowerCase()}_display_on_website`,
    websiteDisplayGroupName: localize(name),
    browseClassification: {
      classificationId: id,
      displayName: localize(name),
      ancestors: [{ classificationId: parent.id, displayName: localize(parent.name) }],
    },
    identifiers: identify(number, variant),
    images: ['MAIN', 'PT01'].map((shot) => ({
      variant: shot,
      link: `https://images.souk.example/${asin}/${shot.toLowerCase()}.jpg`,
      height: 1500,
      width: 1500,
    })),
    dimensions: {
      package: {
        height: { unit: 'centimeters', value: 12 },
        length: { unit: 'centimeters', value: 34 },
        width: { unit: 'centimeters', value: 22 },
        weight: { unit: 'kilograms', value: 1.2 },
      },
    },
    salesRanks: {
      classificationRanks: [{ classificationId: id, title: localize(name), rank: number * 37 + variant * 11 }],
    },
    ...(isVariation && {
      relationships: [{ type: 'VARIATION', parentAsins: [asinOf(number, PARENT)], variationTheme: byColor }],
    }),
    attributes: { item_name: attribute(itemName), brand: attribute(brand), color: attribute(localizedColor) },
    ...(restrictions && { restrictions }),
  }
}

/** The variation parent of the colors of a shirt, which is not for sale. */
function parentOf(model: Model, number: number): CatalogItem[] {
  if (model.productType !== 'SHIRT') return []
  const { marketplaceId, productType, brand, browseClassification } = buildItem(model, number, 0, 'en_US')
  const childAsins = model.colors.map((_, variant) => asinOf(number, variant))
  return [
    {
      marketplaceId,
      asin: asinOf(number, PARENT),
      productType,
      itemName: model.name[0],
      brand,
      browseClassification,
      itemClassification: 'VARIATION_PARENT',
      relationships: [{ type: 'VARIATION', childAsins, variationTheme: byColor }],
    },
  ]
}

/** GTINs that start with 4 are reserved for internal use, so no real product has one of these. */
function identify(number: number, variant: number): CatalogItem['identifiers'] {
  const digits = `47685${String(number * 10 + variant).padStart(6, '0')}`
  const upc = `${digits}${checkDigit(digits)}`
  return [
    { type: 'UPC', value: upc },
    { type: 'EAN', value: `0${upc}` },
  ]
}
