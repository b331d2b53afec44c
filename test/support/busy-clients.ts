import { setTimeout as sleep } from 'node:timers/promises'
import type { BalancedRequest, Balancer } from './balancer.ts'
import { newShoe, priceOf, setQuantity } from './listings.ts'
import type { Ledger } from './marketplace-ledger.ts'
import type { createNotificationMarketplace } from './notified-marketplace.ts'

const CLIENTS_OF_A_KIND = 2
const MAX_OPEN_JOBS = 3
/** Clients are people and programs with other work to do: the backlog of a minute must stay small. */
const PAUSE_MILLISECONDS = 50
/** `Retry-After` says a second or more, but many requests should see the outage. */
const PAUSE_AFTER_FAILURE_MILLISECONDS = 200

type Kind = 'order' | 'solicitation' | 'patch' | 'report' | 'feed' | 'read'

export interface Exchange {
  kind: Kind
  /** 0 if the connection was lost. */
  status: number
  beganAt: number
  milliseconds: number
}

export interface BusyClientsOptions {
  balancer: Balancer
  stall: Awaited<ReturnType<typeof createNotificationMarketplace>>
  /** The port of S3 itself, for uploads. */
  uploadPort: number
}

/** Clients that place orders, solicit reviews, patch listings, and create reports and feeds, until they are ended. */
export async function startBusyClients({ balancer, stall, uploadPort }: BusyClientsOptions) {
  const ledger: Ledger = { orders: new Set(), solicited: new Map(), patches: [], reports: new Set(), feeds: new Set() }
  const exchanges: Exchange[] = []
  const unexpected: string[] = []
  const endedJobs = new Set<string>()
  let isOpen = true

  const exchange = async (kind: Kind, request: BalancedRequest, expected: readonly number[]) => {
    const beganAt = performance.now()
    const { status, retryAfter, body } = await balancer
      .send(request)
      .catch((error: Error) => ({ status: 0, retryAfter: undefined, body: error.message }))
    exchanges.push({ kind, status, beganAt, milliseconds: performance.now() - beganAt })
    if (expected.includes(status)) return { status, body }
    const isCleanOutage = status === 503 && /^\d+$/.test(retryAfter ?? '')
    if (!isCleanOutage && status !== 0) unexpected.push(`${kind} ${status} ${body}`)
    await sleep(PAUSE_AFTER_FAILURE_MILLISECONDS)
    return undefined
  }
  const headers = { ...stall.sellerHeaders, 'content-type': 'application/json' }
  const post = (kind: Kind, path: string, body: object, expected: readonly number[]) =>
    exchange(kind, { method: 'POST', path, headers, body: JSON.stringify(body) }, expected)
  const until = async (act: () => Promise<unknown>) => {
    while (isOpen) {
      await act()
      await sleep(PAUSE_MILLISECONDS)
    }
  }

  let orders = 0
  const sell = async () => {
    const number = ++orders
    const { headers: operator, body } = stall.saleOf(number)
    const request = { method: 'PUT', path: '/operator/v1/orders', headers: operator, body } as BalancedRequest
    if (!(await exchange('order', request, [200]))) return
    ledger.orders.add(number)
    // Two at once, usually through different processes: one of them at most may be accepted.
    const path = `/solicitations/v1/orders/${stall.orderIdOf(number)}/solicitations/productReviewAndSellerFeedback`
    const solicit = () => post('solicitation', `${path}?marketplaceIds=${stall.marketplaceId}`, {}, [201, 403])
    const accepted = (await Promise.all([solicit(), solicit()])).filter((one) => one?.status === 201)
    ledger.solicited.set(number, accepted.length)
  }

  const listings = `/listings/2021-08-01/items/${stall.sellerId}`
  const inMarketplace = `?marketplaceIds=${stall.marketplaceId}`
  const skus = Array.from({ length: CLIENTS_OF_A_KIND }, (_, client) => `PATCHED-${client}`)
  const attributes = newShoe({ purchasable_offer: [{ currency: 'CHF', our_price: priceOf(80) }] })
  for (const sku of [...skus, 'FED']) {
    const body = JSON.stringify({ productType: 'SHOES', attributes })
    await balancer.send({ method: 'PUT', path: `${listings}/${sku}${inMarketplace}`, headers, body })
  }
  const createPatcher = (sku: string) => {
    const written = { sku, acknowledged: new Set<number>(), lastAcknowledged: 0, attempted: 100 }
    ledger.patches.push(written)
    return async () => {
      const quantity = ++written.attempted
      const body = JSON.stringify({ productType: 'SHOES', patches: [setQuantity(quantity)] })
      const request = { method: 'PATCH', path: `${listings}/${sku}${inMarketplace}`, headers, body }
      if (!(await exchange('patch', request, [200]))) return
      written.acknowledged.add(quantity)
      written.lastAcknowledged = quantity
    }
  }

  /** Creates a job if few are open, and looks whether those have ended. */
  const createJobber = (kind: 'report' | 'feed', collection: string, create: () => Promise<string | undefined>) => {
    const open = new Set<string>()
    return async () => {
      if (open.size < MAX_OPEN_JOBS) {
        const id = await create()
        if (id) open.add(id)
        if (id) ledger[`${kind}s`].add(id)
      }
      for (const id of open) {
        const found = await exchange('read', { method: 'GET', path: `${collection}/${id}`, headers }, [200])
        const { processingStatus = '' } = JSON.parse(found?.body ?? '{}')
        if (processingStatus === 'DONE') endedJobs.add(id)
        if (processingStatus === 'DONE') open.delete(id)
        if (['FATAL', 'CANCELLED'].includes(processingStatus)) unexpected.push(`${kind} ${id} is ${processingStatus}`)
      }
    }
  }
  const createReport = async () => {
    const body = { reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA', marketplaceIds: [stall.marketplaceId] }
    const created = await post('report', '/reports/2021-06-30/reports', body, [202])
    return created && JSON.parse(created.body).reportId
  }
  let fed = 100
  const createFeed = async () => {
    const contentType = 'application/json; charset=UTF-8'
    const document = await post('feed', '/feeds/2021-06-30/documents', { contentType }, [201])
    if (!document) return undefined
    const { feedDocumentId, url: address } = JSON.parse(document.body)
    const patch = { sku: 'FED', productType: 'SHOES', operationType: 'PATCH', patches: [setQuantity(++fed)] }
    const header = { sellerId: stall.sellerId, version: '2.0' }
    const body = JSON.stringify({ header, messages: [{ messageId: 1, ...patch }] })
    // Not by way of the proxy, so that createFeed asks an unavailable S3 about a document.
    const direct = Object.assign(new URL(address), { port: uploadPort })
    const uploaded = await fetch(direct, { method: 'PUT', headers: { 'content-type': contentType }, body }).catch(
      () => undefined,
    )
    if (!uploaded?.ok) return void (await sleep(PAUSE_AFTER_FAILURE_MILLISECONDS))
    const feed = { feedType: 'JSON_LISTINGS_FEED', marketplaceIds: [stall.marketplaceId] }
    const input = { ...feed, inputFeedDocumentId: feedDocumentId }
    const created = await post('feed', '/feeds/2021-06-30/feeds', input, [202])
    return created && JSON.parse(created.body).feedId
  }

  const clients = [
    ...Array.from({ length: CLIENTS_OF_A_KIND }, () => until(sell)),
    ...skus.map((sku) => until(createPatcher(sku))),
    until(createJobber('report', '/reports/2021-06-30/reports', createReport)),
    until(createJobber('feed', '/feeds/2021-06-30/feeds', createFeed)),
  ]

  return {
    ledger,
    exchanges,
    /** Responses that are neither a success nor a clean outage, and jobs that did not end well. */
    unexpected,
    endedJobs,

    /** All that is sent from now on is newer: has a higher number, or comes later in the ledger. */
    markNow: () => ({
      time: performance.now(),
      order: orders + CLIENTS_OF_A_KIND,
      reports: ledger.reports.size,
      feeds: ledger.feeds.size,
      quantities: new Map(ledger.patches.map(({ sku, attempted }) => [sku, attempted])),
    }),

    async readQuantity(sku: string): Promise<number> {
      const path = `${listings}/${sku}${inMarketplace}&includedData=fulfillmentAvailability`
      const { body } = await balancer.send({ method: 'GET', path, headers })
      return JSON.parse(body).fulfillmentAvailability[0].quantity
    },

    async end(): Promise<void> {
      isOpen = false
      await Promise.all(clients)
    },
  }
}
