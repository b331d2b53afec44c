import { afterAll, beforeAll, describe, test } from 'vitest'
import { type Souk, startSouk } from '../../src/index.ts'
import { ManualClock } from '../../src/platform/clock/manual-clock.ts'
import { SequentialIds } from '../../src/platform/ids/sequential-ids.ts'
import { expectBaseline, findOtherRenderer } from './support/baseline.ts'
import { hasBrowser, openConsole } from './support/browser.ts'

const PAGES = [
  ['/', 'Home'],
  ['/orders', 'Orders'],
  ['/listings', 'Listings'],
  ['/reports', 'Reports'],
  ['/feeds', 'Feeds'],
  ['/notifications', 'Notifications'],
  ['/faults', 'Faults and incidents'],
  ['/operator/sellers', 'Sellers'],
] as const

describe.runIf(hasBrowser)('the main pages look as they did', () => {
  let souk: Souk
  beforeAll(async () => {
    // The same ids, times and addresses in each run, because the pages show them.
    souk = await startSouk({
      clock: new ManualClock(new Date('2026-03-02T09:30:00Z')),
      ids: new SequentialIds(),
    })
  })
  afterAll(() => souk?.stop())

  test.each(PAGES)('%s: %s, in both themes', async (path, title) => {
    const { page } = await openConsole(souk.url, path, {
      colorScheme: 'light',
      reducedMotion: 'reduce',
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
    })
    try {
      const otherRenderer = await findOtherRenderer(page)
      if (otherRenderer) return console.log(`Skipped: pictures of ${title}: ${otherRenderer}.`)
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
      await page.waitForLoadState('networkidle')
      await expectBaseline(page, `${title} light`)
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
      await expectBaseline(page, `${title} dark`)
    } finally {
      await page.context().close()
    }
  })
})
