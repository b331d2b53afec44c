import { beforeAll, describe, expect, test } from 'vitest'
import { reportTypes } from '../../../src/areas/reports/types/index.ts'
import { addSeller, DOCUMENTS, download, ReportsClient, SCHEDULES, TO_SHIP, US } from '../../support/reports.ts'
import { startTestSouk, type TestSouk } from '../../support/souk.ts'

const PERFORMANCE = 'GET_V2_SELLER_PERFORMANCE_REPORT'
const INACTIVE = 'GET_MERCHANT_LISTINGS_INACTIVE_DATA'

const XML = /^<\?xml version="1.0" encoding="UTF-8"\?>\n<AmazonEnvelope /
const LISTINGS = /^item-name\titem-description\t/
const ORDERS = /^amazon-order-id\tmerchant-order-id\t/

/** The content type of each report type and the start of its document. */
const documents: [reportType: string, contentType: string, beginning: RegExp][] = [
  ['GET_XML_RETURNS_DATA_BY_RETURN_DATE', 'text/xml', XML],
  ['GET_FLAT_FILE_RETURNS_DATA_BY_RETURN_DATE', 'text/plain', /^Order ID\tOrder date\t/],
  ['GET_MERCHANT_LISTINGS_ALL_DATA', 'text/plain', LISTINGS],
  ['GET_MERCHANT_LISTINGS_DATA', 'text/plain', LISTINGS],
  ['GET_FLAT_FILE_OPEN_LISTINGS_DATA', 'text/plain', /^sku\tasin\tprice\tquantity\n/],
  ['GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL', 'text/plain', ORDERS],
  ['GET_FLAT_FILE_ALL_ORDERS_DATA_BY_LAST_UPDATE_GENERAL', 'text/plain', ORDERS],
  ['GET_XML_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL', 'text/xml', XML],
  [TO_SHIP, 'text/plain', /^order-id\torder-item-id\t/],
  ['GET_SELLER_FEEDBACK_DATA', 'text/plain', /^Date\tRating\tComments\t/],
  [PERFORMANCE, 'application/json', /^\{\n {2}"accountStatuses": \[/],
]

let souk: TestSouk
let client: ReportsClient
let newcomer: ReportsClient
let restrictedToken: string

beforeAll(async () => {
  souk = await startTestSouk()
  client = new ReportsClient(souk)
  newcomer = await addSeller(souk, 'A3NEWCOMER')
  const resource = { method: 'GET', path: `${DOCUMENTS}/{reportDocumentId}` }
  const response = await client.post('/tokens/2021-03-01/restrictedDataToken', { restrictedResources: [resource] })
  restrictedToken = response.json().restrictedDataToken
})

test('every report type is tested here', () => {
  expect([...reportTypes.keys()].sort()).toEqual([...documents.map(([reportType]) => reportType), INACTIVE].sort())
})

describe('a report of each type', () => {
  test.each(documents)(
    'has a document with a content type and a charset: %s',
    async (reportType, contentType, beginning) => {
      const { processingStatus, reportDocumentId } = await client.finished({ reportType })
      expect(processingStatus).toBe('DONE')
      const address = await client.documentUrl(reportDocumentId, { token: restrictedToken })
      const response = await fetch(address)
      expect(response.headers.get('content-type')).toBe(`${contentType}; charset=UTF-8`)
      await response.body?.cancel()
      expect(await download(address)).toMatch(beginning)
    },
  )

  test.each([...reportTypes.keys()].filter((reportType) => reportType !== PERFORMANCE))(
    'is CANCELLED for a seller without data: %s',
    async (reportType) => {
      const report = await newcomer.finished({ reportType })
      expect(report.processingStatus).toBe('CANCELLED')
      expect(report).not.toHaveProperty('reportDocumentId')
    },
  )

  test.each([...reportTypes.keys()])('can be scheduled: %s', async (reportType) => {
    const response = await client.post(SCHEDULES, { reportType, marketplaceIds: [US], period: 'P1D' })
    expect(response.statusCode).toBe(201)
  })
})
