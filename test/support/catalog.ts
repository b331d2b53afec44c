import type { CatalogItem } from '../../src/marketplace/catalog/index.ts'

/** A minimal catalog item. */
export function buildCatalogItem(asin: string, overrides: Partial<CatalogItem> = {}): CatalogItem {
  return { marketplaceId: 'ATVPDKIKX0DER', asin, productType: 'SHOES', itemName: `Product ${asin}`, ...overrides }
}

/** A catalog item with every field. */
export const wholeCatalogItem = (asin: string): CatalogItem =>
  buildCatalogItem(asin, {
    brand: 'Zephyr & Söhne',
    manufacturer: 'Zephyr Works',
    modelNumber: 'ZX-81',
    partNumber: 'ZX-81-B',
    color: 'Midnight',
    size: '42',
    style: 'Low',
    itemClassification: 'PRODUCT_BUNDLE',
    packageQuantity: 2,
    releaseDate: '2024-02-29',
    adultProduct: false,
    autographed: true,
    memorabilia: false,
    tradeInEligible: true,
    websiteDisplayGroup: 'shoes_display_on_website',
    websiteDisplayGroupName: 'Shoes',
    browseClassification: {
      classificationId: '7003',
      displayName: 'Sneakers',
      ancestors: [
        { classificationId: '7002', displayName: 'Footwear' },
        { classificationId: '7001', displayName: 'Clothing' },
      ],
    },
    identifiers: [
      { type: 'EAN', value: '4006381333931' },
      { type: 'ISBN', value: '316148410X' },
      { type: 'MINSAN', value: '012345678' },
    ],
    images: [
      { variant: 'MAIN', link: 'https://images.example/main.jpg', height: 1000, width: 800 },
      { variant: 'SWCH', link: 'https://images.example/swatch.jpg', height: 30, width: 30 },
    ],
    dimensions: {
      item: { height: { unit: 'inches', value: 4.5 }, weight: { unit: 'pounds', value: 1.25 } },
      package: { length: { unit: 'centimeters', value: 33 }, width: { unit: 'centimeters', value: 21 } },
    },
    salesRanks: {
      classificationRanks: [{ classificationId: '7003', title: 'Sneakers', rank: 12 }],
      displayGroupRanks: [
        { websiteDisplayGroup: 'shoes', title: 'Shoes', link: 'https://shop.example/best', rank: 345 },
      ],
    },
    relationships: [
      { type: 'VARIATION', parentAsins: ['B0PARENT01'], variationTheme: { theme: 'SIZE', attributes: ['size'] } },
      { type: 'PACKAGE_HIERARCHY', childAsins: ['B0CHILD001', 'B0CHILD002'] },
    ],
    attributes: { item_name: [{ value: 'Zephyr', marketplace_id: 'ATVPDKIKX0DER' }], odd: { nested: [1, null, true] } },
    restrictions: [
      { reason: 'NOT_ELIGIBLE', conditionTypes: ['club_club'], sellerIds: ['A1'], exemptSellerIds: ['A2'] },
    ],
  })
