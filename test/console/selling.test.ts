import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Souk, startSouk } from '../../src/index.ts'
import { withSelection } from './support/as-console.ts'
import { expectAccessible, hasBrowser, keepScreenshot, openConsole } from './support/browser.ts'

const SKU = 'SOUK-SHOE-001'
const ASIN = 'B0SOUK0001'

describe.runIf(hasBrowser)('a seller in the console', () => {
  let souk: Souk
  beforeAll(async () => {
    souk = await startSouk()
  })
  afterAll(() => souk?.stop())

  /** Opens a page for the demo seller in the demo marketplace. */
  async function open(path: string): Promise<Page> {
    const { page } = await openConsole(souk.url, path, withSelection(souk))
    return page
  }

  const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click()
  const see = (page: Page, text: string | RegExp) => page.getByText(text, { exact: true }).first().waitFor()

  test('sees an order from the sale to the return, and why a review cannot be requested yet', async () => {
    const page = await open('/orders')
    await press(page, 'A buyer orders')
    await page
      .getByRole('combobox', { name: 'SKU' })
      .or(page.getByRole('textbox', { name: 'SKU' }))
      .first()
      .fill(SKU)
    await page.getByRole('option', { name: new RegExp(`^${SKU} `) }).click()
    await press(page, 'Place the order')
    await page.getByRole('heading', { level: 1, name: /^Order / }).waitFor()
    await press(page, 'Ship')
    await page.getByLabel('Tracking number').fill('1Z999')
    await press(page, 'Confirm the shipment')
    await see(page, 'Package 1 shipped')
    expect(await page.getByRole('button', { name: 'Buyer cancels' }).count()).toBe(0)
    await press(page, 'Carrier delivers')
    await press(page, 'Deliver')
    await see(page, 'Delivered')
    await press(page, 'Buyer leaves feedback')
    await press(page, 'Leave feedback')
    await see(page, 'Feedback')
    await press(page, 'Buyer returns')
    await press(page, 'Return')
    await see(page, 'Return approved')
    await press(page, 'Request a review')
    await page.getByText(/It is too early/).waitFor()
    await keepScreenshot(page, 'Order')
    await expectAccessible(page)
    await page.context().close()
  })

  test('marks an order for which the console requested a review, and not one for which the API did', async () => {
    const [byConsole = '', byApi = ''] = souk.demo.orders.eligible
    const page = await open(`/orders/${byConsole}`)
    await press(page, 'Request a review')
    await see(page, 'Review requested')
    const path = `/solicitations/v1/orders/${byApi}/solicitations/productReviewAndSellerFeedback`
    const requested = await page.evaluate(
      `fetch(${JSON.stringify(`${path}?marketplaceIds=${souk.demo.marketplaceId}`)}, { method: 'POST', headers: { 'x-souk-console': '1', 'x-souk-seller': ${JSON.stringify(souk.demo.sellerId)} } }).then(({ status }) => status)`,
    )
    expect(requested).toBe(201)
    await page.goto(`${souk.url}/console/orders/${byApi}`)
    await press(page, 'Request a review')
    await page.getByText(/already sent/).waitFor()
    expect(await page.getByText('Review requested', { exact: true }).count()).toBe(0)
    await page.context().close()
  })

  test('sends a change of price and quantity only after a preview', async () => {
    const page = await open(`/listings/${SKU}`)
    await press(page, 'Edit price and quantity')
    await page.getByRole('textbox', { name: 'Price in USD' }).fill('84.5')
    await page.getByRole('textbox', { name: 'Quantity' }).fill('9')
    await see(page, 'The body of patchListingsItem')
    await press(page, 'Preview')
    await see(page, 'The preview found the patch valid')
    await keepScreenshot(page, 'Edit of a listing')
    await press(page, 'Send the patch')
    await see(page, '9 in stock')
    await see(page, '$84.50')
    await page.getByText(/: price .* → \$84\.50, quantity \d+ → 9$/).waitFor()
    await keepScreenshot(page, 'Listing')
    await expectAccessible(page)
    await page.context().close()
  })

  test('sees why an offer is featured, and what a competitor changes', async () => {
    const page = await open(`/products/${ASIN}`)
    await press(page, 'A competitor joins')
    await page.getByRole('textbox', { name: 'Price in USD' }).fill('40')
    await press(page, 'Join')
    await page.getByRole('row', { name: /Featured.*\$40\.00/ }).waitFor()
    await keepScreenshot(page, 'Product')
    await expectAccessible(page)
    await page.context().close()
  })

  test('sees a time also in the zone of the marketplace and in UTC while the mouse is over it', async () => {
    const page = await open('/orders')
    const time = page.getByRole('row').nth(1).locator('time')
    const utc = (await time.getAttribute('datetime')) ?? ''
    await time.hover()
    const zones = page.getByRole('tooltip')
    await zones.getByText('America/Los_Angeles').waitFor()
    await zones.getByText(utc).waitFor()
    await page.mouse.move(0, 0)
    await zones.waitFor({ state: 'detached' })
    await page.context().close()
  })
})
