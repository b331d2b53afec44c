// An unmodified @scaleleap/selling-partner-api-sdk. It has no tokens, downloads or retries of its own.
import { gunzipSync } from 'node:zlib'
import { ReportsApiClientV20210630, SellersApiClient } from '@scaleleap/selling-partner-api-sdk'

const { LWA_CLIENT_ID, LWA_CLIENT_SECRET, LWA_REFRESH_TOKEN } = process.env
const tokenResponse = await fetch('https://api.amazon.co.jp/auth/o2/token', {
  method: 'POST',
  body: new URLSearchParams({
    grant_type: 'refresh_token',
    client_id: LWA_CLIENT_ID,
    client_secret: LWA_CLIENT_SECRET,
    refresh_token: LWA_REFRESH_TOKEN,
  }),
})
const { access_token: accessToken } = await tokenResponse.json()
const settings = { accessToken, region: 'us-west-2', basePath: 'https://sellingpartnerapi-fe.amazon.com' }

const { data: participations } = await new SellersApiClient(settings).getMarketplaceParticipations()
const reports = new ReportsApiClientV20210630(settings)
const body = { reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA', marketplaceIds: ['ATVPDKIKX0DER'] }
const { reportId } = (await reports.createReport({ body })).data
let report
do report = (await reports.getReport({ reportId })).data
while (report.processingStatus !== 'DONE')
const { data: document } = await reports.getReportDocument({ reportDocumentId: report.reportDocumentId })
const text = gunzipSync(Buffer.from(await (await fetch(document.url)).arrayBuffer())).toString()

console.log(
  JSON.stringify({
    marketplaces: participations.payload.map(({ marketplace }) => marketplace.id),
    documentHost: new URL(document.url).host,
    lines: text.trimEnd().split('\n').length,
  }),
)
