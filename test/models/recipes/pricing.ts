import type { Market } from '../market.ts'
import { type Recipe, type Recipes, remove } from './recipe.ts'

const GET = { method: ['GET'], headers: [{}, { custom: 'true' }] }

const prices: Recipe = {
  combine({ query }, kept) {
    if (kept === 'Skus') query.ItemType = 'Sku'
    if (kept === 'Asins') query.ItemType = 'Asin'
    if (query.ItemType === 'Sku') {
      remove(query, 'Asins')
      query.Skus ??= ['SOUK-SHOE-001']
    } else {
      remove(query, 'Skus')
      query.Asins ??= ['B0SOUK0001']
    }
  },
}

const uris = (prefix: string, ids: readonly string[]) => ids.map((id) => `/products/pricing/v0/${prefix}/${id}/offers`)

/** The model requires no list, but the batch is nothing else. */
const requireRequests = (market: Market, uri: string) => ({
  marketplaceId: market.demo.marketplaceId,
  method: 'GET',
  uri,
})

const SUMMARY = '/products/pricing/2022-05-01/items/competitiveSummary'
const EXPECTED_PRICE = '/products/pricing/2022-05-01/offer/featuredOfferExpectedPrice'

const batch =
  (fill: (market: Market) => Record<string, unknown>): Recipe['renew'] =>
  async ({ body }, market) => {
    const fields = body as { requests?: unknown[] }
    fields.requests ??= [fill(market)]
  }

export const pricingRecipes: Recipes = {
  getPricing: prices,
  getCompetitivePricing: prices,
  getItemOffersBatch: {
    sources: (market) => ({ ...GET, uri: uris('items', market.demo.asins) }),
    renew: batch((market) => ({
      uri: uris('items', market.demo.asins)[0],
      method: 'GET',
      MarketplaceId: market.demo.marketplaceId,
      ItemCondition: 'New',
    })),
  },
  getListingOffersBatch: {
    sources: (market) => ({ ...GET, uri: uris('listings', market.demo.skus) }),
    renew: batch((market) => ({
      uri: uris('listings', market.demo.skus)[0],
      method: 'GET',
      MarketplaceId: market.demo.marketplaceId,
      ItemCondition: 'New',
    })),
  },
  getFeaturedOfferExpectedPriceBatch: {
    sources: () => ({ ...GET, uri: [EXPECTED_PRICE], 'body.requests.*.body': [{}] }),
    renew: batch((market) => ({ ...requireRequests(market, EXPECTED_PRICE), sku: market.demo.skus[0] })),
  },
  getCompetitiveSummary: {
    sources: () => ({ ...GET, uri: [SUMMARY] }),
    combine({ body }) {
      for (const one of (body as { requests: Record<string, unknown>[] }).requests) {
        if (one.lowestPricedOffersInputs) one.includedData = ['lowestPricedOffers']
      }
    },
  },
}
