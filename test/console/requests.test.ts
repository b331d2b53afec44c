import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Souk, startSouk } from '../../src/index.ts'
import { expectAccessible, hasBrowser, keepScreenshot, openConsole } from './support/browser.ts'

describe.runIf(hasBrowser)('the log of requests', () => {
  let souk: Souk
  beforeAll(async () => {
    souk = await startSouk()
    for (const path of ['first', 'second', 'third']) await fetch(`${souk.url}/reports/2021-06-30/reports/${path}`)
  })
  afterAll(() => souk?.stop())

  test('with the keyboard alone, arrow keys go through the requests while the panel stays open, and Escape goes back to the list', async () => {
    const { page, complaints } = await openConsole(souk.url, '/requests')
    const rows = page.getByRole('region', { name: 'Requests' }).locator('tbody tr[tabindex="0"]')
    const panel = page.getByRole('dialog')
    const focused = () => page.evaluate('document.activeElement?.textContent ?? ""')
    await page.getByText('Live', { exact: true }).waitFor()
    await rows.first().waitFor()
    expect(await rows.count()).toBe(3)
    await rows.first().focus()
    await page.keyboard.press('Enter')
    await panel
      .getByText(/reports\/third/)
      .first()
      .waitFor()
    await page.keyboard.press('ArrowDown')
    await panel
      .getByText(/reports\/second/)
      .first()
      .waitFor()
    expect(await focused()).toContain('/second')
    await page.keyboard.press('ArrowDown')
    await panel
      .getByText(/reports\/first/)
      .first()
      .waitFor()
    await page.keyboard.press('ArrowUp')
    await panel
      .getByText(/reports\/second/)
      .first()
      .waitFor()
    await keepScreenshot(page, 'Request')
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate('document.activeElement?.closest("[role=dialog]") !== null')).toBe(true)
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'hidden' })
    expect(await focused()).toContain('/second')
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('a burst is counted as long as it lasts, and shown whole when it is over', async () => {
    const { page, complaints } = await openConsole(souk.url, '/requests?q=burst')
    await page.getByText('Live', { exact: true }).waitFor()
    const send = (from: number, count: number) =>
      Promise.all(Array.from({ length: count }, (_, index) => fetch(`${souk.url}/burst/${from + index}`)))
    let isCounted = false
    const counted = page
      .getByText(/more came too fast to show/)
      .waitFor()
      .then(() => {
        isCounted = true
      })
    let sent = 0
    // A slow machine sends no burst with its first requests, or shows it only while it lasts.
    for (; !isCounted; sent += 60) await send(sent, 60)
    await counted
    // A page has 200.
    await page.getByText(sent <= 200 ? `${sent} shown` : /^\d+ shown$/, { exact: true }).waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })
})
