import { expect } from 'vitest'
import type { Report } from '../../src/areas/reports/schema.ts'
import type { VirtualClock } from '../../src/index.ts'
import type { Feedback } from '../../src/marketplace/trade/feedback.ts'
import type { Order } from '../../src/marketplace/trade/orders.ts'
import type { Return } from '../../src/marketplace/trade/returns.ts'
import { download, putResources, registerSeller, SellerClient, US } from './seller-client.ts'
import type { TestSouk } from './souk.ts'
import { waitFor } from './wait-for.ts'

export { DAY, DE, download, HOUR, JP, MINUTE, SECOND, US } from './seller-client.ts'

export const REPORTS = '/reports/2021-06-30/reports'
export const SCHEDULES = '/reports/2021-06-30/schedules'
export const DOCUMENTS = '/reports/2021-06-30/documents'

export const RETURNS = 'GET_XML_RETURNS_DATA_BY_RETURN_DATE'
export const RETURNS_FLAT_FILE = 'GET_FLAT_FILE_RETURNS_DATA_BY_RETURN_DATE'
export const FEEDBACK = 'GET_SELLER_FEEDBACK_DATA'
export const TO_SHIP = 'GET_FLAT_FILE_ACTIONABLE_ORDER_DATA_SHIPPING'

/** Long ago: the demo marketplace has no data for it. */
export const NOTHING_HAPPENED = { dataStartTime: '2020-01-01', dataEndTime: '2020-01-02' }

type Fields = Record<string, unknown>

/** A seller's client of reports. */
export class ReportsClient extends SellerClient {
  /** Default: a report of returns in the United States. */
  createReport = (fields: Fields = {}) => this.post(REPORTS, { reportType: RETURNS, marketplaceIds: [US], ...fields })

  /** Returns the id of the new report. */
  async created(fields?: Fields): Promise<string> {
    const response = await this.createReport(fields)
    expect(response.statusCode, response.body).toBe(202)
    return response.json().reportId
  }

  async report(reportId: string): Promise<Report> {
    const response = await this.get(`${REPORTS}/${reportId}`)
    expect(response.statusCode, response.body).toBe(200)
    return response.json()
  }

  async reports(query: string): Promise<{ reports: Report[]; nextToken?: string }> {
    const response = await this.get(`${REPORTS}?${query}`)
    expect(response.statusCode, response.body).toBe(200)
    return response.json()
  }

  /** Creates a report and returns it once finished. For a service without a delay. */
  async finished(fields?: Fields): Promise<Report> {
    const reportId = await this.created(fields)
    await this.souk.idle()
    return this.report(reportId)
  }

  async documentUrl(documentId = '', { query = '', token = '' } = {}): Promise<string> {
    const response = await this.get(`${DOCUMENTS}/${documentId}${query}`, token ? { token } : {})
    expect(response.statusCode, response.body).toBe(200)
    return response.json().url
  }

  /** Creates a report and returns the text of its document. */
  async text(fields?: Fields, token?: string): Promise<string> {
    const { processingStatus, reportDocumentId } = await this.finished(fields)
    expect(processingStatus).toBe('DONE')
    return download(await this.documentUrl(reportDocumentId, token ? { token } : {}))
  }
}

export const reportIn = (client: ReportsClient, reportId: string, status: Report['processingStatus']) =>
  waitFor(
    () => client.report(reportId),
    (report) => report.processingStatus === status,
  )

/** Moves the clock until the report is IN_PROGRESS and its job waits for the delay. */
export async function beginProcessing(client: ReportsClient, clock: VirtualClock, reportId: string, delay: number) {
  await client.souk.idle()
  clock.advance(delay)
  const report = await reportIn(client, reportId, 'IN_PROGRESS')
  await client.souk.idle()
  return report
}

/** Creates a seller without orders in these marketplaces. */
export async function addSeller(souk: TestSouk, sellerId: string, marketplaceIds = [US]): Promise<ReportsClient> {
  return new ReportsClient(souk, await registerSeller(souk, sellerId, marketplaceIds))
}

/** Adds marketplaces in which the demo seller participates, and returns their ids. */
export async function joinMarketplaces(souk: TestSouk, count: number): Promise<string[]> {
  const marketplaceIds = Array.from({ length: count }, (_, index) => `MANY${index}`)
  const marketplace = { countryCode: 'CH', currencyCode: 'CHF', languageCode: 'de_CH', domainName: 'many.example' }
  await putResources(
    souk,
    'marketplaces',
    marketplaceIds.map((marketplaceId) => ({ ...marketplace, marketplaceId, name: marketplaceId })),
  )
  const participation = { storeName: 'A store', isParticipating: true, hasSuspendedListings: false }
  const participations = marketplaceIds.map((marketplaceId) => ({ ...participation, marketplaceId }))
  const { sellerId } = souk.demo
  await putResources(souk, 'sellers', [
    { sellerId, businessType: 'INDIVIDUAL', sellingPlan: 'PROFESSIONAL', participations },
  ])
  return marketplaceIds
}

interface Resources {
  orders?: Order[]
  returns?: Return[]
  feedback?: Feedback[]
}

/** Sends resources to the operator API in batches. */
export async function putOperatorData(souk: TestSouk, resources: Resources): Promise<void> {
  for (const plural of ['orders', 'returns', 'feedback'] as const) {
    const all = resources[plural] ?? []
    for (let from = 0; from < all.length; from += 1000) await putResources(souk, plural, all.slice(from, from + 1000))
  }
}

/** The values of a flat file, line by line. */
export function parseFlatFile(text: string): string[][] {
  expect(text.endsWith('\n')).toBe(true)
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => line.split('\t'))
}
