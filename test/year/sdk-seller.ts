// Imported by path: the package exports only its index, which loads every API and takes a second.
import * as FeedsSpApi from '../../node_modules/@amazon-sp-api-release/amazon-sp-api-sdk-js/src/feeds_v2021_06_30/index.js'
import * as ListingsSpApi from '../../node_modules/@amazon-sp-api-release/amazon-sp-api-sdk-js/src/listingsitems_v2021_08_01/index.js'
import * as NotificationsSpApi from '../../node_modules/@amazon-sp-api-release/amazon-sp-api-sdk-js/src/notifications_v1/index.js'
import * as OrdersV0SpApi from '../../node_modules/@amazon-sp-api-release/amazon-sp-api-sdk-js/src/orders_v0/index.js'
import * as OrdersSpApi from '../../node_modules/@amazon-sp-api-release/amazon-sp-api-sdk-js/src/orders_v2026_01_01/index.js'
import * as PricingSpApi from '../../node_modules/@amazon-sp-api-release/amazon-sp-api-sdk-js/src/pricing_v2022_05_01/index.js'
import * as ReportsSpApi from '../../node_modules/@amazon-sp-api-release/amazon-sp-api-sdk-js/src/reports_v2021_06_30/index.js'
import * as SolicitationsSpApi from '../../node_modules/@amazon-sp-api-release/amazon-sp-api-sdk-js/src/solicitations_v1/index.js'
import { JSON_TYPE, upload, XML_TYPE } from '../support/feeds.ts'
import { setPrice, setQuantity } from '../support/listings.ts'
import { requestExpectedPrice, requestSummary } from '../support/market.ts'
import { download, SellerClient, US } from '../support/seller-client.ts'
import { NOTIFICATIONS, type TestSouk } from '../support/souk.ts'

interface ApiClient {
  applyXAmzAccessTokenToRequest(token: string): this
  disableRateLimiter(): void
}

/** A seller whose software uses the vendor's SDK, and nothing else, to work with the marketplace. */
export class SdkSeller {
  readonly sellerId: string
  readonly #souk: TestSouk
  readonly #client: SellerClient

  constructor(souk: TestSouk, sellerId: string, refreshToken: string) {
    this.sellerId = sellerId
    this.#souk = souk
    this.#client = new SellerClient(souk, refreshToken)
  }

  /** With a token that is valid now: the clock moves by weeks. */
  async #connect<Client extends ApiClient>(Client: new (url: string) => Client, token?: string): Promise<Client> {
    const client = new Client(this.#souk.url).applyXAmzAccessTokenToRequest(token ?? (await this.#client.token()))
    // The SDK enforces the documented rates by the real clock.
    client.disableRateLimiter()
    return client
  }

  async subscribe(resourceSpecification: object, versions: Record<string, string>): Promise<void> {
    const grantless = await this.#connect(NotificationsSpApi.ApiClient, await this.#souk.grantlessToken(NOTIFICATIONS))
    const destination = (await new NotificationsSpApi.NotificationsApi(grantless).createDestination({
      name: 'The year',
      resourceSpecification,
    } as never)) as { payload?: { destinationId: string } }
    const seller = new NotificationsSpApi.NotificationsApi(await this.#connect(NotificationsSpApi.ApiClient))
    const { destinationId = '' } = destination.payload ?? {}
    for (const [type, payloadVersion] of Object.entries(versions)) {
      await seller.createSubscription(type, { payloadVersion, destinationId })
    }
  }

  /** Submits a feed and returns its result. */
  async #feed(feedType: string, contentType: string, document: string): Promise<string> {
    const feeds = new FeedsSpApi.FeedsApi(await this.#connect(FeedsSpApi.ApiClient))
    const { feedDocumentId, url } = await feeds.createFeedDocument({ contentType })
    await upload(url, document, contentType)
    const { feedId } = await feeds.createFeed({ feedType, marketplaceIds: [US], inputFeedDocumentId: feedDocumentId })
    await this.#souk.idle()
    const feed = (await feeds.getFeed(feedId)) as FeedsSpApi.Feed & { resultFeedDocumentId: string }
    const result = await feeds.getFeedDocument(feed.resultFeedDocumentId)
    return download(result.url)
  }

  /** Submits a listings feed and returns the summary of its result. */
  async listingsFeed(messages: object[]): Promise<Record<string, number>> {
    const header = { sellerId: this.sellerId, version: '2.0', issueLocale: 'en_US' }
    const result = await this.#feed('JSON_LISTINGS_FEED', JSON_TYPE, JSON.stringify({ header, messages }))
    return JSON.parse(result).summary
  }

  /** Submits a feed about orders. Returns the number of messages that succeeded. */
  async orderFeed(messageType: 'OrderFulfillment' | 'OrderAcknowledgement', messages: string[]): Promise<number> {
    const feedType =
      messageType === 'OrderFulfillment' ? 'POST_ORDER_FULFILLMENT_DATA' : 'POST_ORDER_ACKNOWLEDGEMENT_DATA'
    const numbered = messages.map(
      (message, index) =>
        `<Message><MessageID>${index + 1}</MessageID><${messageType}>${message}</${messageType}></Message>`,
    )
    const header = `<DocumentVersion>1.01</DocumentVersion><MerchantIdentifier>${this.sellerId}</MerchantIdentifier>`
    const document =
      '<?xml version="1.0" encoding="UTF-8"?>' +
      `<AmazonEnvelope><Header>${header}</Header><MessageType>${messageType}</MessageType>${numbered.join('')}</AmazonEnvelope>`
    const result = await this.#feed(feedType, XML_TYPE, document)
    return Number(/<MessagesSuccessful>(\d+)</.exec(result)?.[1])
  }

  async item(sku: string): Promise<{ asin: string; quantity: number; amount: string | undefined }> {
    const listings = new ListingsSpApi.ListingsApi(await this.#connect(ListingsSpApi.ApiClient))
    const includedData = ['summaries', 'offers', 'fulfillmentAvailability']
    const item = (await listings.getListingsItem(this.sellerId, sku, [US], { includedData })) as unknown as {
      summaries: { asin: string }[]
      offers: { price: { amount: string } }[]
      fulfillmentAvailability: { quantity: number }[]
    }
    const [summary] = item.summaries
    const [availability] = item.fulfillmentAvailability
    return { asin: summary?.asin ?? '', quantity: availability?.quantity ?? 0, amount: item.offers[0]?.price.amount }
  }

  async #patch(sku: string, patch: object): Promise<void> {
    const listings = new ListingsSpApi.ListingsApi(await this.#connect(ListingsSpApi.ApiClient))
    const body = { productType: 'SHOES', patches: [patch] } as never
    const { status } = await listings.patchListingsItem(this.sellerId, sku, [US], body)
    if (status !== 'ACCEPTED') throw new Error(`The patch of ${sku} is ${status}`)
  }
  setPrice = (sku: string, amount: string) => this.#patch(sku, setPrice(Number(amount)))
  setQuantity = (sku: string, quantity: number) => this.#patch(sku, setQuantity(quantity))

  /** All orders of the period, page by page. */
  async orders(createdAfter: number, orderStatuses?: string[]) {
    const api = new OrdersV0SpApi.OrdersV0Api(await this.#connect(OrdersV0SpApi.ApiClient))
    interface Page {
      payload: {
        orders: {
          amazonOrderId: string
          orderStatus: string
          numberOfItemsShipped: number
          orderTotal?: { amount: string }
        }[]
        nextToken?: string
      }
    }
    const filter = { createdAfter: new Date(createdAfter).toISOString(), ...(orderStatuses && { orderStatuses }) }
    const found: Page['payload']['orders'] = []
    for (let nextToken: string | undefined; ; ) {
      const options = nextToken ? { nextToken } : { ...filter, maxResultsPerPage: 40 }
      const { payload } = (await api.getOrders([US], options as never)) as unknown as Page
      found.push(...payload.orders)
      nextToken = payload.nextToken
      if (!nextToken) return found
    }
  }

  /** Counts the orders of the period by status, with the newer version of the API. */
  async countOrders(createdAfter: number): Promise<Record<string, number>> {
    const api = new OrdersSpApi.SearchOrdersApi(await this.#connect(OrdersSpApi.ApiClient))
    const counts: Record<string, number> = {}
    for (let paginationToken: string | undefined; ; ) {
      const options = {
        createdAfter: new Date(createdAfter),
        marketplaceIds: [US],
        maxResultsPerPage: 60,
        includedData: ['FULFILLMENT'],
      }
      const page = (await api.searchOrders({
        ...options,
        ...(paginationToken && { paginationToken }),
      } as never)) as unknown as {
        orders: { fulfillment: { fulfillmentStatus: string } }[]
        pagination?: { nextToken?: string }
      }
      for (const { fulfillment } of page.orders) {
        counts[fulfillment.fulfillmentStatus] = (counts[fulfillment.fulfillmentStatus] ?? 0) + 1
      }
      paginationToken = page.pagination?.nextToken
      if (!paginationToken) return counts
    }
  }

  async ship(orderId: string, packageReferenceId: string, orderItems: { orderItemId: string; quantity: number }[]) {
    const api = new OrdersV0SpApi.OrdersV0Api(await this.#connect(OrdersV0SpApi.ApiClient))
    const shipDate = this.#souk.clock.now()
    const packageDetail = { packageReferenceId, carrierCode: 'UPS', trackingNumber: '1Z', shipDate, orderItems }
    await api.confirmShipment(orderId, { marketplaceId: US, packageDetail } as never)
  }

  async canSolicit(orderId: string): Promise<boolean> {
    const api = new SolicitationsSpApi.SolicitationsApi(await this.#connect(SolicitationsSpApi.ApiClient))
    const answer = (await api.getSolicitationActionsForOrder(orderId, [US])) as unknown as {
      links: { actions: { name: string }[] }
    }
    return answer.links.actions.some(({ name }) => name === 'productReviewAndSellerFeedback')
  }

  async solicit(orderId: string): Promise<void> {
    const api = new SolicitationsSpApi.SolicitationsApi(await this.#connect(SolicitationsSpApi.ApiClient))
    await api.createProductReviewAndSellerFeedbackSolicitation(orderId, [US])
  }

  /** The expected price of each SKU, or the reason why there is none. */
  async expectedPrices(skus: readonly string[]): Promise<Map<string, { status: string; amount?: number }>> {
    const api = new PricingSpApi.ProductPricingApi(await this.#connect(PricingSpApi.ApiClient))
    const requests = skus.map((sku) => requestExpectedPrice(sku))
    const { responses } = (await api.getFeaturedOfferExpectedPriceBatch({ requests } as never)) as unknown as {
      responses: {
        request: { sku: string }
        body: {
          featuredOfferExpectedPriceResults: {
            resultStatus: string
            featuredOfferExpectedPrice?: { listingPrice: { amount: number } }
          }[]
        }
      }[]
    }
    return new Map(
      responses.map(({ request, body }) => {
        const [result] = body.featuredOfferExpectedPriceResults
        const amount = result?.featuredOfferExpectedPrice?.listingPrice.amount
        return [request.sku, { status: result?.resultStatus ?? '', ...(amount !== undefined && { amount }) }]
      }),
    )
  }

  /** The seller of the featured offer of each product. */
  async featuredSellers(asins: readonly string[]): Promise<Map<string, string | undefined>> {
    const api = new PricingSpApi.ProductPricingApi(await this.#connect(PricingSpApi.ApiClient))
    const { responses } = (await api.getCompetitiveSummary({
      requests: asins.map((asin) => requestSummary(asin)),
    } as never)) as unknown as {
      responses: {
        body: { asin: string; featuredBuyingOptions: { segmentedFeaturedOffers: { sellerId: string }[] }[] }
      }[]
    }
    return new Map(
      responses.map(({ body }) => [body.asin, body.featuredBuyingOptions[0]?.segmentedFeaturedOffers[0]?.sellerId]),
    )
  }

  /** The rows of a flat file report, by column. */
  async report(reportType: string, period: { from: number; to: number }): Promise<Record<string, string>[]> {
    const reports = new ReportsSpApi.ReportsApi(await this.#connect(ReportsSpApi.ApiClient))
    const { reportId } = await reports.createReport({
      reportType,
      marketplaceIds: [US],
      dataStartTime: new Date(period.from),
      dataEndTime: new Date(period.to),
    } as never)
    await this.#souk.idle()
    const report = (await reports.getReport(reportId)) as ReportsSpApi.Report & { reportDocumentId?: string }
    if (report.processingStatus !== 'DONE' || !report.reportDocumentId) {
      throw new Error(`${reportType} is ${report.processingStatus}`)
    }
    const { url } = await reports.getReportDocument(report.reportDocumentId)
    const [header = '', ...lines] = (await download(url)).trimEnd().split(/\r?\n/)
    const names = header.split('\t')
    return lines.map((line) => Object.fromEntries(line.split('\t').map((value, index) => [names[index], value])))
  }
}
