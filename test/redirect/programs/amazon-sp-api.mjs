// An unmodified amazon-sp-api: it requests tokens, waits when throttled, downloads and uploads on its own.
import { readFileSync } from 'node:fs'
import { SellingPartner } from 'amazon-sp-api'

const { LWA_CLIENT_ID, LWA_CLIENT_SECRET, LWA_REFRESH_TOKEN, SOUK_URL } = process.env
const marketplaceIds = ['ATVPDKIKX0DER']
const seller = new SellingPartner({
  region: 'na',
  refresh_token: LWA_REFRESH_TOKEN,
  credentials: { SELLING_PARTNER_APP_CLIENT_ID: LWA_CLIENT_ID, SELLING_PARTNER_APP_CLIENT_SECRET: LWA_CLIENT_SECRET },
})

const report = await seller.downloadReport({
  body: { reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA', marketplaceIds },
  interval: 20,
  download: { json: true },
})

const { reportId } = await seller.callAPI({
  operation: 'reports.createReport',
  body: { reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA', marketplaceIds },
})
const getReport = () => seller.callAPI({ operation: 'reports.getReport', path: { reportId } })
let status
while (status !== 'DONE') status = (await getReport()).processingStatus
const { reportDocumentId } = await getReport()
const document = await seller.callAPI({ operation: 'reports.getReportDocument', path: { reportDocumentId } })
let streamedBytes = 0
for await (const chunk of await seller.downloadStream(document)) streamedBytes += chunk.length

const contentType = 'application/json; charset=UTF-8'
const upload = await seller.callAPI({ operation: 'feeds.createFeedDocument', body: { contentType } })
await seller.upload(upload, { content: readFileSync('examples/listings-feed.json', 'utf8'), contentType })
const { feedId } = await seller.callAPI({
  operation: 'feeds.createFeed',
  body: { feedType: 'JSON_LISTINGS_FEED', marketplaceIds, inputFeedDocumentId: upload.feedDocumentId },
})
let feed
do feed = await seller.callAPI({ operation: 'feeds.getFeed', path: { feedId } })
while (!['DONE', 'FATAL', 'CANCELLED'].includes(feed.processingStatus))
const result = await seller.callAPI({
  operation: 'feeds.getFeedDocument',
  path: { feedDocumentId: feed.resultFeedDocumentId },
})
const { summary } = JSON.parse(await seller.download(result))

await Promise.all(Array.from({ length: 30 }, getReport))

const firstToken = seller.access_token
await fetch(`${SOUK_URL}/_souk/clock`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: '{"advanceSeconds":3700}',
})
const { processingStatus } = await getReport()

console.log(
  JSON.stringify({
    reportRows: report.length,
    streamedBytes,
    documentHost: new URL(document.url).host,
    summary,
    afterExpiry: processingStatus,
    hasNewToken: firstToken !== seller.access_token,
  }),
)
