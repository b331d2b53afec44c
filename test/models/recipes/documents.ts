import type { ModelRequest } from '../generate.ts'
import type { Market } from '../market.ts'
import { orderTimes, type Recipe, type Recipes, remove } from './recipe.ts'

const REPORTS = '/reports/2021-06-30/reports'
const SCHEDULES = '/reports/2021-06-30/schedules'
const FEEDS = '/feeds/2021-06-30/feeds'
const FEED_DOCUMENTS = '/feeds/2021-06-30/documents'
const REPORT_TYPES = [
  'GET_MERCHANT_LISTINGS_ALL_DATA',
  'GET_XML_RETURNS_DATA_BY_RETURN_DATE',
  'GET_FLAT_FILE_RETURNS_DATA_BY_RETURN_DATE',
  'GET_SELLER_FEEDBACK_DATA',
]
const FEED_TYPES = ['JSON_LISTINGS_FEED', 'POST_ORDER_FULFILLMENT_DATA', 'POST_PRODUCT_DATA']
const CONTENT_TYPE = 'application/json; charset=UTF-8'

async function createReport(market: Market, reportType = REPORT_TYPES[0]): Promise<string> {
  const body = { reportType, marketplaceIds: [market.demo.marketplaceId] }
  return (await market.call('POST', REPORTS, body)).reportId as string
}

async function createSchedule(market: Market, period = 'P1D'): Promise<string> {
  const body = { reportType: REPORT_TYPES[3], marketplaceIds: [market.demo.marketplaceId], period }
  return (await market.call('POST', SCHEDULES, body)).reportScheduleId as string
}

async function uploadDocument(market: Market): Promise<string> {
  const { feedDocumentId, url } = await market.call('POST', FEED_DOCUMENTS, { contentType: CONTENT_TYPE })
  const messages = [{ messageId: 1, sku: market.demo.skus[0], operationType: 'DELETE' }]
  const document = { header: { sellerId: market.demo.sellerId, version: '2.0' }, messages }
  const response = await fetch(url as string, {
    method: 'PUT',
    headers: { 'content-type': CONTENT_TYPE },
    body: JSON.stringify(document),
  })
  if (response.status !== 200) throw new Error(`The upload failed: ${await response.text()}`)
  return feedDocumentId as string
}

async function createFeed(market: Market, feedType = FEED_TYPES[0]): Promise<string> {
  const inputFeedDocumentId = await uploadDocument(market)
  const body = { feedType, marketplaceIds: [market.demo.marketplaceId], inputFeedDocumentId }
  return (await market.call('POST', FEEDS, body)).feedId as string
}

/** One request for documents in each state that the clock alone leads to. */
async function createInAllStates(market: Market, create: (market: Market) => Promise<string>, path: string) {
  const done = await create(market)
  await market.finishJobs()
  const cancelled = await create(market)
  await market.call('DELETE', `${path}/${cancelled}`)
  return [done, cancelled, await create(market)]
}

const listRecipe = (
  types: string,
  names: readonly string[],
  path: string,
  create: (market: Market) => Promise<string>,
): Recipe => ({
  async sources(market) {
    await createInAllStates(market, create, path)
    const page = await market.call('GET', `${path}?${types}=${names.join()}&pageSize=1`)
    return { [types]: names, nextToken: [page.nextToken] }
  },
  combine(request, kept) {
    if (kept === 'nextToken') {
      request.query = { nextToken: request.query.nextToken }
      return
    }
    remove(request.query, 'nextToken')
    request.query[types] ??= [names[0]]
    orderTimes(request.query, 'createdSince', 'createdUntil')
  },
})

const orderDataTimes = ({ body }: ModelRequest) =>
  orderTimes(body as Record<string, unknown>, 'dataStartTime', 'dataEndTime')

export const documentRecipes: Recipes = {
  createReport: {
    sources: () => ({ reportType: REPORT_TYPES, reportOptions: [{}, { custom: 'true' }] }),
    combine: orderDataTimes,
  },
  getReports: listRecipe('reportTypes', REPORT_TYPES, REPORTS, createReport),
  getReport: { sources: async (market) => ({ reportId: await createInAllStates(market, createReport, REPORTS) }) },
  cancelReport: {
    sources: () => ({ reportId: ['1'] }),
    async renew(request, market) {
      request.path.reportId = await createReport(market)
    },
  },
  getReportDocument: {
    async sources(market) {
      const reportId = await createReport(market)
      await market.finishJobs()
      return { reportDocumentId: [(await market.call('GET', `${REPORTS}/${reportId}`)).reportDocumentId] }
    },
  },
  createReportSchedule: {
    sources: () => ({
      reportType: REPORT_TYPES,
      reportOptions: [{}, { custom: 'true' }],
      nextReportCreationTime: ['2026-07-01T00:00:00Z', '2026-06-01T23:30:00+02:00'],
    }),
  },
  getReportSchedules: {
    async sources(market) {
      await createSchedule(market)
      return { reportTypes: REPORT_TYPES }
    },
  },
  getReportSchedule: { sources: async (market) => ({ reportScheduleId: [await createSchedule(market)] }) },
  cancelReportSchedule: {
    sources: () => ({ reportScheduleId: ['1'] }),
    async renew(request, market) {
      request.path.reportScheduleId = await createSchedule(market)
    },
  },
  createFeedDocument: {
    sources: () => ({ contentType: [CONTENT_TYPE, 'text/xml; charset=UTF-8', 'text/tab-separated-values'] }),
  },
  createUploadDestinationForResource: {
    sources: () => ({
      contentMD5: ['5d41402abc4b2a76b9719d911017c592', 'XUFAKrxLKna5cZ2REBfFkg=='],
      contentType: ['application/pdf', 'image/png'],
      resource: [
        'messaging/v1/orders/123-1234567-1234567/messages/legalDisclosure',
        '/messaging/v1/orders/123-1234567-1234567/messages/invoice',
        'aplus/2020-11-01/contentDocuments',
      ],
    }),
    combine({ path, query }) {
      if (String(path.resource).startsWith('aplus')) query.contentType ??= 'image/png'
    },
  },
  createFeed: {
    sources: () => ({ feedType: FEED_TYPES, feedOptions: [{}, { custom: 'true' }], inputFeedDocumentId: ['1'] }),
    async renew({ body }, market) {
      Object.assign(body as object, { inputFeedDocumentId: await uploadDocument(market) })
    },
  },
  getFeeds: listRecipe('feedTypes', FEED_TYPES, FEEDS, createFeed),
  getFeed: { sources: async (market) => ({ feedId: await createInAllStates(market, createFeed, FEEDS) }) },
  cancelFeed: {
    sources: () => ({ feedId: ['1'] }),
    async renew(request, market) {
      request.path.feedId = await createFeed(market)
    },
  },
  getFeedDocument: {
    async sources(market) {
      const feedId = await createFeed(market)
      await market.finishJobs()
      return { feedDocumentId: [(await market.call('GET', `${FEEDS}/${feedId}`)).resultFeedDocumentId] }
    },
  },
}
