import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Souk, startSouk } from '../../src/index.ts'
import { DE } from '../support/seller-client.ts'
import { sendAsConsole, withSelection } from './support/as-console.ts'
import { expectAccessible, hasBrowser, openConsole } from './support/browser.ts'

describe.runIf(hasBrowser)('attributes in several languages', () => {
  let souk: Souk
  let sku: string
  beforeAll(async () => {
    souk = await startSouk()
    const items = `/listings/2021-08-01/items/${souk.demo.sellerId}`
    const found = await sendAsConsole(souk, 'GET', `${items}?marketplaceIds=${DE}&pageSize=1&includedData=summaries`)
    const [item] = found.items as { sku: string; summaries: { productType: string }[] }[]
    sku = item?.sku ?? ''
    const text = (value: string, language_tag: string) => ({ value, language_tag, marketplace_id: DE })
    await sendAsConsole(souk, 'PATCH', `${items}/${sku}?marketplaceIds=${DE}`, {
      productType: item?.summaries[0]?.productType,
      patches: [
        {
          op: 'replace',
          path: '/attributes/item_name',
          value: [text('Wanderstiefel', 'de_DE'), text('Hiking boot', 'en_US')],
        },
        { op: 'replace', path: '/attributes/bullet_point', value: [text('Wasserdicht', 'de_DE')] },
      ],
    })
    await souk.idle()
  })
  afterAll(() => souk?.stop())

  test('are shown together, and in German or English alone when one is chosen', async () => {
    const { page, complaints } = await openConsole(souk.url, `/listings/${sku}`, withSelection(souk, DE))
    const attributes = page.getByRole('region', { name: 'Attributes' })
    const languages = attributes.getByRole('radiogroup', { name: 'Language' })
    const german = attributes.locator('[lang=de-DE]', { hasText: 'Wanderstiefel' })
    const english = attributes.locator('[lang=en-US]', { hasText: 'Hiking boot' })
    const onlyGerman = attributes.getByText('Wasserdicht')
    await german.getByText('(German)').waitFor()
    await english.getByText('(English)').waitFor()

    await languages.getByText('English').click()
    await german.waitFor({ state: 'detached' })
    expect(await english.textContent()).toBe('Hiking boot')
    expect(await onlyGerman.count()).toBe(0)

    await page.keyboard.press('ArrowLeft')
    await english.waitFor({ state: 'detached' })
    expect(await german.textContent()).toBe('Wanderstiefel')
    expect(await onlyGerman.count()).toBe(1)

    await attributes.getByRole('tab', { name: 'JSON' }).click()
    await attributes.getByText('"de_DE"').first().waitFor()
    expect(await attributes.getByText('en_US').count()).toBe(0)
    await languages.getByText('All languages').click()
    await attributes.getByText('en_US').first().waitFor()
    await expectAccessible(page)
    expect(complaints).toEqual([])
    await page.context().close()
  })
})
