import { beforeAll, describe, expect, test } from 'vitest'
import { DE, FeedsClient, patch, remove, US, update } from '../../support/feeds.ts'
import {
  EVERYTHING,
  IN_DE,
  type ListingsClient,
  newShoe,
  setPrice,
  setQuantity,
  startListings,
} from '../../support/listings.ts'
import { conformsTo, modelsArePresent } from '../../support/public-models.ts'
import type { TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let client: FeedsClient
let listings: ListingsClient
beforeAll(async () => {
  ;({ souk, listings } = await startListings())
  client = new FeedsClient(souk)
})

const apiVersion = '2021-08-01'
const under = (includedData: unknown) => ({ report: { includedData, apiVersion } })

/** Processes a document with an invalid header and returns its result. */
async function fatal(header: object, sku: string) {
  const feed = await client.finished(client.document([update(sku, newShoe())], { ...header }))
  expect(feed.processingStatus).toBe('FATAL')
  const report = await client.report(feed)
  expect(report.summary).toEqual({
    errors: 1,
    warnings: 0,
    messagesProcessed: 0,
    messagesAccepted: 0,
    messagesInvalid: 0,
  })
  expect((await listings.get(sku)).statusCode).toBe(404)
  expect(report.issues).toHaveLength(1)
  expect(report.issues[0]).not.toHaveProperty('messageId')
  return report.issues[0]
}

describe('an invalid header makes the feed FATAL, and nothing is applied:', () => {
  test.each([{ sellerId: 'A2SOUKOTHERSEL' }, { sellerId: undefined }, { sellerId: 5 }, { sellerId: 'a1soukdemosell' }])(
    'the seller of %o is not the caller',
    async (header) => {
      expect(await fatal(header, 'HEAD-1')).toEqual({
        code: 'BAD_REQUEST',
        severity: 'ERROR',
        message: expect.stringMatching(/^Invalid 'accountId' provided\..*A1SOUKDEMOSELL/),
      })
    },
  )

  test.each([
    { version: '1.0' },
    { version: 2 },
    { version: '2' },
    { version: undefined },
    { version: null },
    { version: 'Connection terminated unexpectedly' },
  ])('the version of %o is not 2.0', async (header) => {
    expect(await fatal(header, 'HEAD-2')).toMatchObject({
      code: '4002006',
      message: expect.stringContaining('must be "2.0"'),
    })
  })

  test.each<[object, string]>([
    [{ issueLocale: 5 }, 'issueLocale'],
    [{ includedData: 'issues' }, 'includedData'],
    [{ includedData: [] }, 'includedData'],
    [{ includedData: ['issues', 'secrets'] }, 'includedData'],
    [{ includedData: null }, 'includedData'],
    [{ report: 'issues' }, 'report'],
    [{ report: { apiVersion } }, 'report.includedData'],
    [{ report: { includedData: ['issues'] } }, 'report.apiVersion'],
    [{ report: { includedData: ['issues'], apiVersion: '2020-09-01' } }, 'report.apiVersion'],
  ])('%o is invalid', async (header, place) => {
    expect(await fatal(header, 'HEAD-3')).toMatchObject({ code: '4002008', message: expect.stringContaining(place) })
  })

  test.each(['[]', 'null', '"2.0"', '5'])('it is %s', async (header) => {
    const feed = await client.finished(`{"header":${header},"messages":[{}]}`)
    expect(feed.processingStatus).toBe('FATAL')
    expect((await client.report(feed)).issues).toMatchObject([{ message: 'The header must be an object.' }])
  })
})

describe('issueLocale', () => {
  const bad = () => [patch('SOUK-SHOE-001', setPrice(-1))]
  const messagesOf = async (header: object, fields: object = {}) =>
    (await client.process(bad(), { ...header }, { ...fields })).issues.map(({ message }) => message)

  test('sets the locale of issues', async () => {
    expect(await messagesOf({ issueLocale: 'de_DE' })).toEqual([expect.stringContaining('ist bei')])
    expect(await messagesOf({ issueLocale: 'en_US' })).toEqual([expect.stringContaining('is too small')])
  })

  test('defaults to the locale of the first marketplace', async () => {
    expect(await messagesOf({})).toEqual([expect.stringContaining('is too small')])
    expect(await messagesOf({}, { marketplaceIds: [DE] })).toEqual([expect.stringContaining('ist bei')])
    expect(await messagesOf({}, { marketplaceIds: [US, DE] })).toEqual([expect.stringContaining('is too small')])
  })

  test.each(['fr_FR', 'xx', '', '__proto__', 'constructor'])(
    'of %o, which is not supported, falls back to English',
    async (issueLocale) => {
      expect(await messagesOf({ issueLocale })).toEqual([expect.stringContaining('is too small')])
    },
  )

  test('applies to the issues of items too', async () => {
    const noImage = update('LOCALE-1', newShoe({ main_product_image_locator: undefined }))
    const { items } = await client.process([noImage], { issueLocale: 'de_DE', ...under(['issues']) })
    expect(items).toMatchObject([{ issues: [{ message: expect.stringContaining('Hauptbild') }] }])
  })
})

describe('includedData', () => {
  test.each([
    ['in the header itself, as the specification has it', (sets: string[]) => ({ includedData: sets })],
    ['under report, as the public schema has it', under],
  ])('%s adds the created or changed items to the result', async (_where, headerOf) => {
    const report = await client.process(
      [update('ITEMS-1', newShoe()), patch('ITEMS-1', setQuantity(2)), update('ITEMS-2', newShoe()), remove('NOBODY')],
      headerOf(['issues', 'attributes']),
    )
    expect(report.header).toMatchObject({ report: { includedData: ['issues', 'attributes'], apiVersion } })
    expect(report.items?.map((item) => Object.keys(item))).toEqual([
      ['sku', 'issues', 'attributes'],
      ['sku', 'issues', 'attributes'],
    ])
    expect(report.items).toMatchObject([
      { sku: 'ITEMS-1', attributes: { fulfillment_availability: [{ quantity: 2 }] } },
      { sku: 'ITEMS-2' },
    ])
    expect(report.summary).toMatchObject({ itemSummary: { items: 2, errors: 0, warnings: 0 } })
  })

  test('of all data sets renders an item as getListingsItem does', async () => {
    const { items = [] } = await client.process([update('ITEMS-3', newShoe())], under(EVERYTHING.split(',')))
    expect(items).toEqual([await listings.read('ITEMS-3')])
    if (modelsArePresent) conformsTo('listingsItems_2021-08-01.json', 'Item', items[0])
  })

  test('ignores duplicates', async () => {
    const { items } = await client.process([update('ITEMS-4', newShoe())], under(['issues', 'issues']))
    expect(items).toEqual([{ sku: 'ITEMS-4', issues: [] }])
  })

  test('adds no items and no item counts when absent', async () => {
    const report = await client.process([update('ITEMS-5', newShoe())])
    expect(report).not.toHaveProperty('items')
    expect(report.header).not.toHaveProperty('report')
    expect(report.summary).not.toHaveProperty('itemSummary')
  })

  test('omits items whose only message was rejected, and counts issues of items separately', async () => {
    const report = await client.process(
      [
        update('COUNT-1', newShoe({ main_product_image_locator: undefined })),
        patch('COUNT-2', setQuantity(1)),
        patch('SOUK-SHOE-001', setPrice(-1)),
        update('COUNT-4', newShoe()),
      ],
      under(['issues']),
    )
    expect(report.summary).toEqual({
      errors: 1,
      warnings: 0,
      messagesProcessed: 4,
      messagesAccepted: 3,
      messagesInvalid: 1,
      itemSummary: { items: 3, errors: 1, warnings: 1 },
    })
    expect(report.items?.map(({ sku }) => sku)).toEqual(['COUNT-1', 'COUNT-2', 'COUNT-4'])
    const shown = report.items?.flatMap(({ issues }) => issues as { severity: string }[])
    expect(shown?.map(({ severity }) => severity).sort()).toEqual(['ERROR', 'WARNING'])
  })

  test('returns each item once, in the order of the messages', async () => {
    const messages = Array.from({ length: 250 }, (_, index) =>
      patch(`SOUK-SHOE-00${(index % 6) + 1}`, setQuantity(index)),
    )
    const { items } = await client.process(messages, under(['fulfillmentAvailability']))
    expect(items?.map(({ sku }) => sku)).toEqual([1, 2, 3, 4, 5, 6].map((number) => `SOUK-SHOE-00${number}`))
  })

  test('returns more items than a page', async () => {
    const skus = Array.from({ length: 230 }, (_, index) => `PAGE-${index}`)
    const { items, summary } = await client.process(
      skus.map((sku) => patch(sku, setQuantity(1))),
      under(['issues']),
    )
    expect(items?.map(({ sku }) => sku)).toEqual(skus)
    expect(summary).toMatchObject({ itemSummary: { items: 230, errors: 230, warnings: 0 } })
  })

  test('returns items in the marketplaces of the feed only', async () => {
    const report = await client.process([patch('SOUK-SHOE-003', setQuantity(5))], under(['summaries']), {
      marketplaceIds: [DE],
    })
    const { summaries } = await listings.read('SOUK-SHOE-003', IN_DE)
    expect(report.items).toEqual([{ sku: 'SOUK-SHOE-003', summaries }])
  })
})
