import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Souk, startSouk } from '../../src/index.ts'
import { expectAccessible, hasBrowser, keepScreenshot, openConsole } from './support/browser.ts'

const PAGES = [
  ['/', 'Home'],
  ['/orders', 'Orders'],
  ['/listings', 'Listings'],
  ['/reports', 'Reports'],
  ['/feeds', 'Feeds'],
  ['/notifications', 'Notifications'],
  ['/requests', 'Requests'],
  ['/faults', 'Faults and incidents'],
  ['/state', 'Snapshots and forks'],
  ['/grade', 'Grade'],
  ['/operator/sellers', 'Sellers'],
  ['/operator/applications', 'Applications'],
  ['/operator/accounts', 'Accounts'],
  ['/operator/jobs', 'Jobs'],
  ['/operator/deliveries', 'Deliveries'],
  ['/operator/usage', 'Usage'],
  ['/operator/audit', 'Audit'],
] as const

describe.runIf(hasBrowser)('every page of the console', () => {
  let souk: Souk
  beforeAll(async () => {
    souk = await startSouk()
  })
  afterAll(() => souk?.stop())

  test.each(PAGES)('%s opens without complaints of the browser and without serious barriers', async (path, title) => {
    const { page, complaints } = await openConsole(souk.url, path)
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await page.waitForLoadState('load')
    await keepScreenshot(page, `${title} light`)
    await expectAccessible(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    await keepScreenshot(page, `${title} dark`)
    await expectAccessible(page)
    await page.setViewportSize({ width: 360, height: 740 })
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await keepScreenshot(page, `${title} phone`)
    expect(complaints).toEqual([])
    await page.context().close()
  })
})
