import type { Sources } from '../generate.ts'
import type { Market } from '../market.ts'
import { documentRecipes } from './documents.ts'
import { notificationRecipes } from './notifications.ts'
import { orderRecipes } from './orders.ts'
import { pricingRecipes } from './pricing.ts'
import { productRecipes } from './products.ts'
import type { Recipe, Recipes } from './recipe.ts'

const RESTRICTED_PATHS = ['/orders/v0/orders/{orderId}/address', '/reports/2021-06-30/documents/{reportDocumentId}']

let nextOrder = 0

const recipes: Recipes = {
  ...documentRecipes,
  ...notificationRecipes,
  ...orderRecipes,
  ...pricingRecipes,
  ...productRecipes,
  createProductReviewAndSellerFeedbackSolicitation: {
    async renew(request, market) {
      const { eligible } = market.demo.orders
      request.path.amazonOrderId = eligible[nextOrder++ % eligible.length]
    },
  },
  rotateApplicationClientSecret: {
    async renew(_request, market) {
      const { applicationId } = market.demo
      const secretQueues = { newSecret: 'arn:aws:sqs:us-east-1:123456789012:models-secrets' }
      await market.operate('PUT', '/applications', {
        applications: [{ applicationId, name: 'Enrolled', secretQueues }],
      })
      // An application has at most two secrets.
      await market.operate('DELETE', `/applications/${applicationId}/clientSecret/previous`)
    },
  },
  createRestrictedDataToken: {
    sources: (market) => ({
      // Restricted operations only read.
      method: ['GET'],
      path: RESTRICTED_PATHS,
      dataElements: ['buyerInfo', 'shippingAddress', 'buyerTaxInformation'],
      targetApplication: [market.demo.applicationId],
    }),
  },
}

export const recipeOf = (operation: string): Recipe => recipes[operation] ?? {}

/** What exists in the demo marketplace, by the names that the models give to it. */
export function demoSources({ demo }: Market): Sources {
  return {
    marketplaceId: [demo.marketplaceId],
    marketplaceIds: [demo.marketplaceId],
    MarketplaceId: [demo.marketplaceId],
    sellerId: [demo.sellerId],
    sku: demo.skus,
    SellerSKU: demo.skus,
    Skus: demo.skus,
    asin: demo.asins,
    Asin: demo.asins,
    Asins: demo.asins,
    amazonOrderId: demo.orders.eligible,
    productType: [demo.productType],
  }
}
