// Unmodified packages of @sp-api-sdk. They retry when throttled; downloads and uploads are the program's own.
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { SellingPartnerApiAuth } from '@sp-api-sdk/auth'
import { FeedsApiClient } from '@sp-api-sdk/feeds-api-2021-06-30'
import { ReportsApiClient } from '@sp-api-sdk/reports-api-2021-06-30'
import axios from 'axios'

const marketplaceIds = ['ATVPDKIKX0DER']
const auth = new SellingPartnerApiAuth({}) // reads LWA_CLIENT_ID, LWA_CLIENT_SECRET and LWA_REFRESH_TOKEN
let retries = 0
const rateLimiting = {
  retry: true,
  onRetry() {
    retries++
  },
}
const reports = new ReportsApiClient({ auth, region: 'eu', rateLimiting })
const feeds = new FeedsApiClient({ auth, region: 'eu', rateLimiting })

const created = await reports.createReport({ body: { reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA', marketplaceIds } })
const { reportId } = created.data
let report
do report = (await reports.getReport({ reportId })).data
while (report.processingStatus !== 'DONE')
const { data: document } = await reports.getReportDocument({ reportDocumentId: report.reportDocumentId })
const { data: content } = await axios.get(document.url, { responseType: 'arraybuffer' })
const lines = gunzipSync(content).toString().trimEnd().split('\n').length

const contentType = 'application/json; charset=UTF-8'
const { data: upload } = await feeds.createFeedDocument({ body: { contentType } })
await axios.put(upload.url, readFileSync('examples/listings-feed.json'), { headers: { 'content-type': contentType } })
const { data: feed } = await feeds.createFeed({
  body: { feedType: 'JSON_LISTINGS_FEED', marketplaceIds, inputFeedDocumentId: upload.feedDocumentId },
})

await Promise.all(Array.from({ length: 25 }, () => reports.getReport({ reportId })))

console.log(
  JSON.stringify({
    lines,
    documentHost: new URL(document.url).host,
    uploadHost: new URL(upload.url).host,
    feedId: feed.feedId,
    hasRetried: retries > 0,
  }),
)
