import { gunzipSync } from 'node:zlib'
// Imported by path: the package exports only its index, which loads every API and takes a second.
import * as FeedsSpApi from '../../node_modules/@amazon-sp-api-release/amazon-sp-api-sdk-js/src/feeds_v2021_06_30/index.js'
import * as ListingsSpApi from '../../node_modules/@amazon-sp-api-release/amazon-sp-api-sdk-js/src/listingsitems_v2021_08_01/index.js'
import * as OrdersV0SpApi from '../../node_modules/@amazon-sp-api-release/amazon-sp-api-sdk-js/src/orders_v0/index.js'
import * as ReportsSpApi from '../../node_modules/@amazon-sp-api-release/amazon-sp-api-sdk-js/src/reports_v2021_06_30/index.js'
import { JSON_TYPE, LISTINGS, upload } from '../support/feeds.ts'
import { US } from '../support/seller-client.ts'
import type { TestSouk } from '../support/souk.ts'

const MAX_ATTEMPTS = 8
const POLL_MILLISECONDS = 15_000

export type EndedReport = ReportsSpApi.Report & { reportDocumentId?: string }
export interface Document {
  url: string
  compressionAlgorithm?: string
}

/** What the pages of incidents recommend, on top of the vendor's SDK. It waits by moving the clock. */
export class RobustClient {
  readonly #souk: TestSouk
  #token = ''

  constructor(souk: TestSouk) {
    this.#souk = souk
  }

  async reports() {
    return new ReportsSpApi.ReportsApi(this.#connect(new ReportsSpApi.ApiClient(this.#souk.url), await this.#current()))
  }

  async feeds() {
    return new FeedsSpApi.FeedsApi(this.#connect(new FeedsSpApi.ApiClient(this.#souk.url), await this.#current()))
  }

  async listings() {
    const api = this.#connect(new ListingsSpApi.ApiClient(this.#souk.url), await this.#current())
    return new ListingsSpApi.ListingsApi(api)
  }

  async orders() {
    const api = this.#connect(new OrdersV0SpApi.ApiClient(this.#souk.url), await this.#current())
    return new OrdersV0SpApi.OrdersV0Api(api)
  }

  #connect<Api extends { disableRateLimiter(): unknown; applyXAmzAccessTokenToRequest(token: string): unknown }>(
    api: Api,
    token: string,
  ): Api {
    // The SDK enforces the documented rates itself, by the real clock.
    api.disableRateLimiter()
    api.applyXAmzAccessTokenToRequest(token)
    return api
  }

  async #current(): Promise<string> {
    this.#token ||= await this.#souk.tokenFor(this.#souk.demo.refreshToken)
    return this.#token
  }

  /**
   * Repeats a call that failed: with a new token after 403, and with a growing pause after 429, 5xx or a lost connection.
   * For a write that may have had its effect, `findEffect` looks for it first.
   */
  async repeat<Result>(call: () => Promise<Result>, findEffect?: () => Promise<Result | undefined>): Promise<Result> {
    let isRenewed = false
    for (let attempt = 1; ; attempt++) {
      try {
        return await call()
      } catch (error) {
        const { status } = error as { status?: number }
        const isExpired = status === 403 && !isRenewed
        const isTemporary = status === undefined || status === 429 || status >= 500
        if (attempt === MAX_ATTEMPTS || !(isExpired || isTemporary)) throw error
        if (isExpired) {
          isRenewed = true
          this.#token = ''
        } else this.#souk.clock.advance(1_000 * 2 ** attempt)
        const effect = status === 429 || isExpired ? undefined : await findEffect?.()
        if (effect !== undefined) return effect
      }
    }
  }

  requestReport(reportType: string): Promise<{ reportId: string }> {
    const createdSince = this.#souk.clock.now()
    const findEffect = async () => {
      const found = await this.repeat(async () =>
        (await this.reports()).getReports({ reportTypes: [reportType], createdSince }),
      )
      return found.reports[0]
    }
    const request = { reportType, marketplaceIds: [US] }
    return this.repeat<{ reportId: string }>(async () => (await this.reports()).createReport(request), findEffect)
  }

  /** Polls until the report has ended or the deadline has passed. */
  async waitForReport(reportId: string, { polls = 4 } = {}): Promise<EndedReport> {
    for (;;) {
      await this.#souk.idle()
      const report = await this.repeat(async () => (await this.reports()).getReport(reportId))
      if (!['IN_QUEUE', 'IN_PROGRESS'].includes(report.processingStatus) || --polls <= 0) return report as EndedReport
      this.#souk.clock.advance(POLL_MILLISECONDS)
    }
  }

  /** Requests a report until it is done, at most three times, with a pause after each failure. */
  async report(reportType: string, { pauseMilliseconds = 60_000 } = {}): Promise<EndedReport> {
    for (let attempt = 1; ; attempt++) {
      const { reportId } = await this.requestReport(reportType)
      const report = await this.waitForReport(reportId)
      if (report.processingStatus === 'DONE' || attempt === 3) return report
      this.#souk.clock.advance(pauseMilliseconds)
    }
  }

  reportLink = ({ reportDocumentId = '' }: EndedReport) =>
    this.repeat(async () => (await (await this.reports()).getReportDocument(reportDocumentId)) as Document)

  /** Gets a new link for each attempt, and processes only what has arrived completely. */
  async download(getLink: () => Promise<Document>): Promise<string> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const { url } = await getLink()
      const content = await fetch(url)
        .then(async (response) => (response.ok ? Buffer.from(await response.arrayBuffer()) : undefined))
        .catch(() => undefined)
      if (content) return (isCompressed(content) ? gunzipSync(content) : content).toString()
      this.#souk.clock.advance(1_000 * 2 ** attempt)
    }
    throw new Error('The document cannot be downloaded')
  }

  /** Gets a new document for each attempt to upload. */
  async submitFeed(content: string): Promise<string> {
    for (let attempt = 1; attempt <= 3; attempt++) {
      const { feedDocumentId, url } = await this.repeat(async () =>
        (await this.feeds()).createFeedDocument({ contentType: JSON_TYPE }),
      )
      if ((await upload(url, content)).status !== 200) continue
      const feed = { feedType: LISTINGS, marketplaceIds: [US], inputFeedDocumentId: feedDocumentId }
      return (await this.repeat(async () => (await this.feeds()).createFeed(feed))).feedId
    }
    throw new Error('The document cannot be uploaded')
  }
}

const isCompressed = (content: Buffer) => content[0] === 0x1f && content[1] === 0x8b
