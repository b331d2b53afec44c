import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Souk, startSouk } from '../../src/index.ts'
import { buildSeller, US } from '../support/seller-client.ts'
import { sendAsConsole, withSelection } from './support/as-console.ts'
import { expectAccessible, hasBrowser, openConsole } from './support/browser.ts'

/** A session has the first 100 only. */
const SELLERS = 120
const LAST = { sellerId: 'Z999LAST', name: 'Zanzibar Shoes' }

describe.runIf(hasBrowser)('a marketplace with more sellers than a list can have', () => {
  let souk: Souk
  beforeAll(async () => {
    souk = await startSouk()
    const many = Array.from({ length: SELLERS }, (_, index) => buildSeller(`A000MANY${index}`, [US]))
    const address = { addressLine1: 'Harbor 1', countryCode: 'TZ' }
    const last = {
      ...buildSeller(LAST.sellerId, [US]),
      business: { name: LAST.name, registeredBusinessAddress: address },
    }
    await sendAsConsole(souk, 'PUT', '/operator/v1/sellers', { sellers: [...many, last] })
  })
  afterAll(() => souk?.stop())

  const selectOf = (page: Page) => page.getByRole('banner').getByLabel('Seller', { exact: true }).first()
  const search = async (page: Page, text: string) => {
    await selectOf(page).click()
    await selectOf(page).fill(text)
  }

  test('finds a seller beyond the first ones by name, and stays with them after a reload', async () => {
    const { page, complaints } = await openConsole(souk.url, '/orders', withSelection(souk))
    await page.getByRole('row').nth(1).waitFor()
    await search(page, 'zanzi')
    await page.getByRole('option', { name: LAST.name }).click()
    await page.getByText(/no orders|No order/).waitFor()
    await expect.poll(() => selectOf(page).inputValue()).toBe(LAST.name)
    await page.reload()
    await page.getByText(/no orders|No order/).waitFor()
    expect(await selectOf(page).inputValue()).toBe(LAST.name)
    await expectAccessible(page)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('finds a seller by id, and none by a text that no seller has', async () => {
    const { page } = await openConsole(souk.url, '/orders', withSelection(souk))
    await page.getByRole('row').nth(1).waitFor()
    await search(page, 'Z999')
    await page.getByRole('option', { name: LAST.name }).waitFor()
    await selectOf(page).fill('no such seller')
    await page.getByRole('option').first().waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    expect(await page.getByRole('row').count()).toBeGreaterThan(1)
    await page.context().close()
  })
})
