import { gunzipSync } from 'node:zlib'
import { buildOrder } from './orders.ts'

const HOUR = 60 * 60 * 1000
const RETURNS = 1000
const ITEMS = 3
/** Rows of the seller's returns report: enough to interrupt its processing. */
export const ROWS = RETURNS * ITEMS

const marketplaceId = 'BAZAAR1'
const sellerId = 'AMYSELLER'
const applicationId = 'my-app'
const orderId = '100-0000000-0000001'
const currencyCode = 'CHF'
const FEEDS = '/feeds/2021-06-30'
const subject = { reportType: 'GET_FLAT_FILE_RETURNS_DATA_BY_RETURN_DATE', marketplaceIds: [marketplaceId] }

export interface Report {
  reportId: string
  processingStatus: string
  processingEndTime?: string
  reportDocumentId?: string
  reportScheduleId?: string
}

interface Feed {
  processingStatus: string
  resultFeedDocumentId?: string
}

export type BazaarSeller = Awaited<ReturnType<typeof createReportMarketplace>>

/**
 * Creates a marketplace as an operator does, and returns its only seller. The URL of the service may change between
 * calls.
 */
export async function createReportMarketplace(url: string, operatorKey: string) {
  const put = async (plural: string, resources: object[]) => {
    const written = await ask<Record<string, Record<string, string>[]>>(`${url}/operator/v1/${plural}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ [plural]: resources }),
    })
    return written[plural]?.[0] ?? {}
  }
  await put('marketplaces', [marketplace])
  await put('sellers', [seller])
  const { clientId = '', clientSecret = '' } = await put('applications', [{ applicationId, name: 'My application' }])
  const { refreshToken = '' } = await put('authorizations', [{ sellerId, applicationId }])
  await put('orders', [order])
  await put('returns', returns())
  const { access_token } = await ask<{ access_token: string }>(`${url}/auth/o2/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      client_id: clientId,
      client_secret: clientSecret,
    }),
  })

  const call = <Answer>(path: string, body?: object) =>
    ask<Answer>(path, {
      method: body ? 'POST' : 'GET',
      headers: { 'x-amz-access-token': access_token, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })

  return {
    async createReport(url: string): Promise<string> {
      return (await call<{ reportId: string }>(`${url}/reports/2021-06-30/reports`, subject)).reportId
    },

    async createSchedule(url: string, nextReportCreationTime: Date): Promise<string> {
      const schedule = { ...subject, period: 'P30D', nextReportCreationTime }
      const path = `${url}/reports/2021-06-30/schedules`
      return (await call<{ reportScheduleId: string }>(path, schedule)).reportScheduleId
    },

    async getReports(url: string): Promise<Report[]> {
      const query = `reportTypes=${subject.reportType}&pageSize=100`
      return (await call<{ reports: Report[] }>(`${url}/reports/2021-06-30/reports?${query}`)).reports
    },

    /** Downloads a document and returns its number of rows. */
    async countRows(url: string, documentId = ''): Promise<number> {
      return countRowsAt(reachable(url, await addressOf(url, documentId)))
    },

    addressOf,

    /** The upload URL of a listings document, without its host. */
    async uploadPath(url: string): Promise<string> {
      const place = await call<{ url: string }>(`${url}${FEEDS}/documents`, { contentType: 'application/json' })
      return new URL(place.url).pathname + new URL(place.url).search
    },

    /** Uploads a listings document, creates a feed and returns its id. */
    async submitFeed(url: string, messages: object[]): Promise<string> {
      const contentType = 'application/json; charset=UTF-8'
      const place = await call<{ feedDocumentId: string; url: string }>(`${url}${FEEDS}/documents`, { contentType })
      const body = JSON.stringify({ header: { sellerId, version: '2.0' }, messages })
      const upload = { method: 'PUT', headers: { 'content-type': contentType }, body }
      const uploaded = await fetch(reachable(url, place.url), upload)
      if (!uploaded.ok) throw new Error(`PUT ${place.url}: ${uploaded.status} ${await uploaded.text()}`)
      const { feedId } = await call<{ feedId: string }>(`${url}${FEEDS}/feeds`, {
        feedType: 'JSON_LISTINGS_FEED',
        marketplaceIds: [marketplaceId],
        inputFeedDocumentId: place.feedDocumentId,
      })
      return feedId
    },

    /** The final status and the result of a feed. */
    async readFeed(url: string, feedId: string) {
      const feed = await call<Feed>(`${url}${FEEDS}/feeds/${feedId}`)
      const document = await call<{ url: string }>(`${url}${FEEDS}/documents/${feed.resultFeedDocumentId}`)
      const response = await fetch(reachable(url, document.url))
      return { status: feed.processingStatus, result: JSON.parse(gunzipSync(await response.bytes()).toString()) }
    },
  }

  async function addressOf(url: string, documentId = ''): Promise<string> {
    return (await call<{ url: string }>(`${url}/reports/2021-06-30/documents/${documentId}`)).url
  }
}

/** A signed URL of Souk has the public host, which may differ from where this process listens. One of S3 stays as it is. */
function reachable(url: string, signed: string): string {
  const { hostname, pathname, search } = new URL(signed)
  return hostname.endsWith('.example') ? url + pathname + search : signed
}

/** Counts the rows of the document at a URL. */
export async function countRowsAt(address: string): Promise<number> {
  const response = await fetch(address)
  const text = gunzipSync(await response.bytes()).toString()
  const [_heading, ...rows] = text.trimEnd().split('\n')
  return rows.length
}

async function ask<Answer>(url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, init)
  if (!response.ok) throw new Error(`${init.method} ${url}: ${response.status} ${await response.text()}`)
  return response.json() as Promise<Answer>
}

const marketplace = {
  marketplaceId,
  name: 'Bazaar',
  countryCode: 'CH',
  currencyCode,
  languageCode: 'de_CH',
  domainName: 'bazaar.example',
}

const seller = {
  sellerId,
  businessType: 'INDIVIDUAL',
  sellingPlan: 'PROFESSIONAL',
  participations: [{ marketplaceId, storeName: 'My store', isParticipating: true, hasSuspendedListings: false }],
}

const now = new Date()
const { items, ...rest } = buildOrder(now, { sellerId, orderId, marketplaceId, currencyCode })
const order = {
  ...rest,
  items: Array.from({ length: ITEMS }, (_, index) => ({
    ...items[0],
    orderItemId: String(index + 1),
    // Each return has one piece of each item.
    quantity: RETURNS,
  })),
}

const returns = () =>
  Array.from({ length: RETURNS }, (_, index) => ({
    sellerId,
    rmaId: `RMA-${index}`,
    orderId,
    requestedAt: new Date(now.getTime() - (index + 1) * HOUR).toISOString(),
    status: 'Approved',
    items: order.items.map(({ orderItemId }) => ({ orderItemId, quantity: 1, reasonCode: 'CR-DEFECTIVE' })),
  }))
