import { expect, test } from 'vitest'
import { countTurns } from '../../../../test/support/count-turns.ts'
import { emptyReader } from '../../../../test/support/empty-reader.ts'
import { ManualClock } from '../../../platform/clock/manual-clock.ts'
import type { ListingView } from '../store/listing-view.ts'
import { createItemRenderer } from './item-renderer.ts'

const { render } = createItemRenderer({
  clock: new ManualClock('2026-06-01T12:00:00.000Z'),
  productTypes: {} as Parameters<typeof createItemRenderer>[0]['productTypes'],
})

test('a page of large listings in several marketplaces yields to other work between them', async () => {
  const attributes = JSON.stringify({ bullet_point: Array(150_000).fill({}) })
  const skus = Array.from({ length: 20 }, (_, index) => `SKU-${index}`)
  const marketplaceIds = ['US', 'DE', 'JP']
  const listings = skus.flatMap((sku) =>
    marketplaceIds.map((marketplace_id) => ({
      ...({} as ListingView),
      sku,
      marketplace_id,
      product_attributes: attributes,
      offer_attributes: '{}',
    })),
  )
  const texts = render(emptyReader, skus, listings, {
    sellerId: 'S',
    marketplaceIds,
    includedData: ['attributes'],
  })
  expect(await countTurns(texts)).toBeGreaterThan(2)
  expect(await texts).toHaveLength(20)
})
