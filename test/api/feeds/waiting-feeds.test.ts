import { expect, test } from 'vitest'
import { FeedsClient, update } from '../../support/feeds.ts'
import { newShoe } from '../../support/listings.ts'
import { HOUR } from '../../support/reports.ts'
import { startTestSouk } from '../../support/souk.ts'

test("metrics have the feeds that wait for their seller's first one, and how long the oldest has waited", async () => {
  const souk = await startTestSouk({ delay: 3 * HOUR })
  const feeds = new FeedsClient(souk)
  const document = feeds.document([update('WAITING', newShoe())])
  await feeds.submitted(document)
  expect(await measured()).toEqual({ souk_feeds_waiting: 0, souk_feeds_delay_seconds: 0 })
  souk.clock.advance(HOUR)
  for (let count = 0; count < 2; count++) await feeds.submitted(document)
  souk.clock.advance(HOUR)
  expect(await measured()).toEqual({ souk_feeds_waiting: 2, souk_feeds_delay_seconds: 3600 })

  async function measured() {
    const { body } = await souk.get('/metrics')
    const lines = body.matchAll(/^(souk_feeds_\w+) (\d+)$/gm)
    return Object.fromEntries([...lines].map(([, name, value]) => [name, Number(value)]))
  }
})
