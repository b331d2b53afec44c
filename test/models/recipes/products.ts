import { type Recipes, remove } from './recipe.ts'

const LOCALES = ['en_US', 'de_DE']
const EXCLUSIVE = ['identifiers', 'variationParentSku', 'packageHierarchySku']

const patches = [
  [
    {
      op: 'replace',
      path: '/attributes/fulfillment_availability',
      value: [{ fulfillment_channel_code: 'DEFAULT', quantity: 7 }],
    },
  ],
  [
    {
      op: 'merge',
      path: '/attributes/purchasable_offer',
      value: [{ currency: 'USD', our_price: [{ schedule: [{ value_with_tax: 49.9 }] }] }],
    },
    { op: 'add', path: '/attributes/item_name', value: [{ value: 'A new name' }] },
  ],
  [{ op: 'delete', path: '/attributes/generic_keyword' }],
]

/** Catalog, product type definitions, restrictions and listings. */
export const productRecipes: Recipes = {
  searchCatalogItems: {
    async sources(market) {
      const path = `/catalog/2022-04-01/items?marketplaceIds=${market.demo.marketplaceId}&keywords=shoe&pageSize=1`
      const { pagination, refinements } = await market.call('GET', path)
      const { brands, classifications } = refinements as Record<string, Record<string, string>[]>
      return {
        'query.locale': LOCALES,
        keywords: ['shoe', 'running'],
        keywordsLocale: LOCALES,
        identifiers: market.demo.asins,
        brandNames: (brands ?? []).map(({ brandName }) => brandName),
        classificationIds: (classifications ?? []).map(({ classificationId }) => classificationId),
        pageToken: [(pagination as { nextToken: string }).nextToken],
      }
    },
    combine({ query }, kept) {
      if (!kept.startsWith('identifiers')) {
        remove(query, 'identifiers', 'identifiersType')
        query.keywords ??= ['shoe']
        return
      }
      remove(query, 'keywords', 'keywordsLocale', 'brandNames', 'classificationIds', 'pageToken')
      query.identifiers ??= ['B0SOUK0001']
      query.identifiersType ??= 'ASIN'
      if (query.identifiersType === 'SKU') query.sellerId = 'A1SOUKDEMOSELL'
    },
  },
  getCatalogItem: { sources: () => ({ 'query.locale': LOCALES }) },
  searchDefinitionsProductTypes: {
    sources: () => ({
      'query.locale': LOCALES,
      searchLocale: LOCALES,
      keywords: ['SHOES', 'LUGGAGE'],
      itemName: ['Running shoes'],
    }),
    combine({ query }, kept) {
      remove(query, kept === 'itemName' ? 'keywords' : 'itemName')
    },
  },
  getDefinitionsProductType: { sources: () => ({ productTypeVersion: ['LATEST', 'RELEASE_CANDIDATE'] }) },
  getListingsRestrictions: { sources: () => ({ reasonLocale: LOCALES }) },
  getListingsItem: { sources: () => ({ issueLocale: LOCALES }) },
  searchListingsItems: {
    async sources(market) {
      const { sellerId, marketplaceId, skus } = market.demo
      const path = `/listings/2021-08-01/items/${sellerId}?marketplaceIds=${marketplaceId}&pageSize=1`
      const { pagination } = await market.call('GET', path)
      return {
        issueLocale: LOCALES,
        identifiers: skus,
        variationParentSku: skus,
        packageHierarchySku: skus,
        createdBefore: ['2026-06-30T00:00:00Z'],
        lastUpdatedBefore: ['2026-06-30T00:00:00Z'],
        pageToken: [(pagination as { nextToken: string }).nextToken],
      }
    },
    combine({ query }, kept) {
      const wanted = EXCLUSIVE.find((name) => kept.startsWith(name)) ?? EXCLUSIVE.find((name) => name in query)
      remove(query, ...EXCLUSIVE.filter((name) => name !== wanted))
      if (wanted !== 'identifiers') remove(query, 'identifiersType')
      else {
        query.identifiers ??= ['SOUK-SHOE-001']
        query.identifiersType ??= 'SKU'
      }
      // A status cannot be wanted and unwanted, and a page token belongs to its own search.
      if (query.withStatus && query.withoutStatus)
        remove(query, kept === 'withoutStatus' ? 'withStatus' : 'withoutStatus')
      if (kept !== 'pageToken') remove(query, 'pageToken')
    },
  },
  putListingsItem: {
    async sources(market) {
      const { sellerId, skus, marketplaceId } = market.demo
      const path = `/listings/2021-08-01/items/${sellerId}/${skus[0]}?marketplaceIds=${marketplaceId}&includedData=attributes`
      const { attributes } = await market.call('GET', path)
      return { issueLocale: LOCALES, sku: ['MODEL-1', 'MODEL/2', ...skus], attributes: [attributes, {}] }
    },
  },
  patchListingsItem: { sources: () => ({ issueLocale: LOCALES, 'body.patches': patches }) },
  deleteListingsItem: { sources: () => ({ issueLocale: LOCALES }) },
}
