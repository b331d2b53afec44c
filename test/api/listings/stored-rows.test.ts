import { expect, test } from 'vitest'
import { listingsClient, priceOf, setAttribute } from '../../support/listings.ts'
import { readAllRows } from '../../support/table-rows.ts'
import { startWatchedSouk } from '../../support/watched-souk.ts'

test('patches of a price leave no rows except events', async () => {
  const { souk, database } = await startWatchedSouk()
  const listings = listingsClient(souk, await souk.tokenFor(souk.demo.refreshToken))
  const sku = souk.demo.skus[0] as string
  const patch = async (price: number) => {
    const offer = { currency: 'USD', our_price: priceOf(price) }
    const response = await listings.patch(sku, [setAttribute('purchasable_offer', offer)])
    expect(response.json()).toMatchObject({ status: 'ACCEPTED' })
    await souk.idle()
  }
  const countRows = async () => (await readAllRows(database)).filter((row) => !row.startsWith('events ')).length
  await patch(80)
  const before = await countRows()
  for (const price of [81, 82, 83]) await patch(price)
  expect(await countRows()).toBe(before)
})
