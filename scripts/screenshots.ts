// Takes the pictures of the console in docs/images, from a marketplace with a week of trade and a client that makes
// mistakes. Needs Chromium (Debian's package chromium) and the built console.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { fetchToken } from '../bench/support/demo-client.ts'
import { startSouk } from '../src/index.ts'

const FOLDER = 'docs/images'
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000

mkdirSync(FOLDER, { recursive: true })
const souk = await startSouk()
const browser = await chromium.launch({
  executablePath: process.env.SOUK_TEST_BROWSER ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
try {
  await souk.life.start({ seed: 7 })
  for (let day = 0; day < 7; day++) {
    await souk.clock.advance(DAY_MILLISECONDS)
    await souk.idle()
  }
  await sendRequests()
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' })
  const page = await context.newPage()
  await take(page, '/', 'console-home')
  await take(page, '/orders', 'console-orders')
  await take(page, '/listings', 'console-listings')
  await take(page, '/requests', 'console-requests', async () => {
    await page.getByRole('row').filter({ hasText: '400' }).first().click()
  })
  await take(page, '/faults', 'console-faults')
  await page.emulateMedia({ colorScheme: 'dark' })
  await take(page, '/', 'console-home-dark')
} finally {
  await browser.close()
  await souk.stop()
}

async function take(page: Page, path: string, name: string, prepare?: () => Promise<void>): Promise<void> {
  await page.goto(`${souk.url}/console${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await prepare?.()
  // The pages load their data after they are shown, and charts are drawn with it.
  await page.waitForLoadState('networkidle')
  await page.screenshot({ path: join(FOLDER, `${name}.png`) })
}

/** What a developer sees in the log after a few minutes: successes, a mistake, and a quota that was exceeded. */
async function sendRequests(): Promise<void> {
  const { sellerId, marketplaceId, skus, orders } = souk.demo
  const token = await fetchToken(souk.url)
  const headers = { 'x-amz-access-token': token, 'content-type': 'application/json' }
  const item = `${souk.url}/listings/2021-08-01/items/${sellerId}/${skus[0]}?marketplaceIds=${marketplaceId}`
  for (let count = 0; count < 6; count++) await fetch(item, { headers })
  await fetch(item, { method: 'PATCH', headers, body: JSON.stringify({ productType: 'SHOES' }) })
  for (let count = 0; count < 7; count++) {
    await fetch(`${souk.url}/solicitations/v1/orders/${orders.notDelivered}?marketplaceIds=${marketplaceId}`, {
      headers,
    })
  }
}
