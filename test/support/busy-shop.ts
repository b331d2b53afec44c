import pg from 'pg'
import { expect } from 'vitest'
import { FlakyQueue } from './flaky-queue.ts'
import { createNotificationMarketplace, orderNumberIn } from './notified-marketplace.ts'
import { startProcesses } from './service-processes.ts'
import { waitFor } from './wait-for.ts'

const CLIENTS = 4
const QUEUE = 'busy-shop'
/** Two seconds, with room for a busy machine. */
const MAX_RESPONSE_MILLISECONDS = 10_000
const RECOVERS_WITHIN_MILLISECONDS = 10_000

interface Sale {
  number: number
  status: number
  milliseconds: number
  endedAt: number
}

export interface ShopOptions {
  databaseUrl: string
  /** Where to look at what is stored, if the URL of the processes is not always usable. Default: the same. */
  inspectionUrl?: string
  env?: Record<string, string>
}

export type BusyShop = Awaited<ReturnType<typeof openBusyShop>>

/**
 * `souk serve` and `souk worker`, with clients that sell without a pause. Each order is sent once and causes one event, so
 * what is lost and what happens twice can be counted.
 */
export async function openBusyShop({ databaseUrl, inspectionUrl = databaseUrl, env = {} }: ShopOptions) {
  const queues = new FlakyQueue()
  const aws = { SOUK_SQS_ENDPOINT: await queues.open(), AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' }
  const place = await startProcesses({ leaseSeconds: 5, databaseUrl, env: { ...aws, ...env } })
  const { serve, url } = await place.startServe()
  const worker = place.startWorker()
  await worker.waitFor(/"msg":"worker started"/)
  const stall = await createNotificationMarketplace(url, place.env.SOUK_OPERATOR_KEY, QUEUE)
  /** To which the clients send; more than one while processes are replaced. */
  const urls = [url]
  const sales: Sale[] = []
  let isOpen = true
  let numbers = 0

  const sell = async () => {
    while (isOpen) {
      const number = ++numbers
      const began = performance.now()
      const response = await fetch(`${urls[number % urls.length]}/operator/v1/orders`, stall.saleOf(number))
      const text = await response.text()
      const endedAt = performance.now()
      sales.push({ number, status: response.status, milliseconds: endedAt - began, endedAt })
      if (response.ok) continue
      expect(response.status, text).toBe(503)
      expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
    }
  }
  const clients = Array.from({ length: CLIENTS }, sell)
  const sold = () => sales.filter(({ status }) => status === 200)
  const failed = () => sales.filter(({ status }) => status !== 200)
  /** Waits for further sales. */
  const sells = async (count: number) => {
    const before = sold().length
    await waitFor(
      () => sold().length,
      (now) => now >= before + count,
    )
  }

  return {
    place,
    stall,
    serve,
    worker,
    urls,
    sells,
    sold,
    failed,

    /** Has clients sell before, during and after an outage. */
    async survive(begin: () => Promise<void>, end: () => Promise<void>, { mustFail }: { mustFail: boolean }) {
      await sells(20)
      const began = performance.now()
      await begin()
      const before = sales.length
      await waitFor(
        () => (mustFail ? failed().length : sales.length - before),
        (count) => count >= CLIENTS * 2,
      )
      await end()
      const ended = performance.now()
      await waitFor(
        () => sold().filter(({ endedAt }) => endedAt > ended).length,
        (count) => count >= CLIENTS,
      )
      const [first] = sold().filter(({ endedAt }) => endedAt > ended)
      const during = sales.filter(({ endedAt }) => endedAt > began)
      const slowest = Math.max(...during.map(({ milliseconds }) => milliseconds))
      const recovery = (first?.endedAt ?? Number.NaN) - ended
      console.log(`${failed().length} × 503, slowest ${slowest.toFixed()} ms, recovered in ${recovery.toFixed()} ms`)
      expect(slowest).toBeLessThan(MAX_RESPONSE_MILLISECONDS)
      expect(recovery).toBeLessThan(RECOVERS_WITHIN_MILLISECONDS)
      await sells(20)
    },

    /** Nothing acknowledged is lost, nothing happened twice, every event has arrived, and both processes still run. */
    async expectNothingLost(): Promise<void> {
      isOpen = false
      await Promise.all(clients)
      const inspector = new pg.Client(inspectionUrl)
      await inspector.connect()
      const { rows } = await inspector.query<{ order_id: string }>('select order_id from orders')
      const stored = new Set(rows.map(({ order_id }) => Number(order_id.slice(-7))))
      expect(sold().filter(({ number }) => !stored.has(number))).toEqual([])
      const notified = await waitFor(
        () => new Set(queues.bodies(QUEUE).map(orderNumberIn)),
        ({ size }) => size >= stored.size,
      )
      expect(notified).toEqual(stored)
      await inspector.end()
      // A repeated notification has the id of the first, unless the event itself happened twice.
      const ids = new Set(queues.bodies(QUEUE).map(idOf))
      expect(ids.size).toBe(stored.size)
      await queues.close()
      const endings = await Promise.all([serve, worker].map((souk) => souk.stop()))
      for (const ending of endings) expect(ending).toMatchObject({ code: 0, stderr: '' })
    },
  }
}

const idOf = (body: Record<string, unknown>) => (body.NotificationMetadata as { NotificationId: string }).NotificationId
