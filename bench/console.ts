import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, chromium, type Page } from 'playwright-core'
import { demo } from '../src/dev/demo/index.ts'
import { alternate, measureRounds } from './support/alternate.ts'
import { cpuMilliseconds } from './support/cpu-time.ts'
import { fetchResponse, fetchToken } from './support/demo-client.ts'
import { fillOrders } from './support/fill-orders.ts'
import { writeRequest } from './support/http-request.ts'
import { sendLoad } from './support/load.ts'
import { median } from './support/median.ts'
import { logProgress } from './support/progress.ts'
import { seedListings } from './support/seed-listings.ts'
import { type SoukProcess, startSouk } from './support/souk-process.ts'
import { atLeast, atLeastAbsolute, atMost, type Figure } from './support/table.ts'
import { makeTempFolder } from './support/temp-folder.ts'

const ROWS = 100_000
const OPENINGS = { warmUps: 2, counted: 7 }
const ARRIVALS = 15
const PACED_REQUESTS_PER_SECOND = 500
const PACED_SECONDS = 6
const BATCHES_PER_SECOND = 10
const CONNECTIONS = 32
/** Several seconds, because a stream has its pace by the second. */
const WATCHED_REQUESTS = 40_000
/** As the page has it. */
const WATCHED_PER_SECOND = 100
const WATCH_ROUNDS = { warmUps: 1, counted: 9 }

/** The console in Chromium, on a marketplace with many orders and listings. */
export async function measureConsole(): Promise<Figure[]> {
  using folder = makeTempFolder()
  const data = join(folder.path, 'data')
  logProgress(`Storing ${ROWS} orders and listings`)
  await (await startSouk(data)).stop()
  fillOrders(join(data, 'souk.db'), ROWS)
  seedListings(join(data, 'souk.db'), ROWS)
  await using souk = await startSouk(data, ['--rates', '1000000000'])
  const browser = await chromium.launch({
    executablePath: process.env.SOUK_TEST_BROWSER ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  })
  try {
    return [
      ...(await measureOpening(souk, browser)),
      await measureArrival(souk, browser),
      ...(await measureFrames(souk, browser)),
      await measureWatching(souk),
    ]
  } finally {
    await browser.close()
  }
}

/** From the address bar to the first row, with an empty cache. */
async function measureOpening({ url }: SoukProcess, browser: Browser): Promise<Figure[]> {
  const open = async (path: string) => {
    const context = await browser.newContext()
    const page = await context.newPage()
    const startedAt = performance.now()
    await page.goto(`${url}/console${path}`)
    await page.getByRole('row').nth(1).waitFor()
    const milliseconds = performance.now() - startedAt
    await context.close()
    return milliseconds
  }
  const times = await alternate(OPENINGS, 'ms', {
    home: () => open('/'),
    orders: () => open('/orders'),
    listings: () => open('/listings'),
  })
  return Object.entries(times).map(([page, milliseconds]) =>
    atMost(1_000, `the page ${page} with ${ROWS} orders and listings, usable`, 'ms', milliseconds),
  )
}

async function openLog({ url }: SoukProcess, browser: Browser): Promise<Page> {
  const page = await browser.newPage()
  const streaming = page.waitForResponse((response) => response.url().includes('/_souk/requests/'))
  await page.goto(`${url}/console/requests`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await streaming
  return page
}

/** From the sending of a request to its row on the screen. */
async function measureArrival(souk: SoukProcess, browser: Browser): Promise<Figure> {
  const page = await openLog(souk, browser)
  const token = await fetchToken(souk.url)
  const times: number[] = []
  for (let count = 0; count < ARRIVALS; count++) {
    const sku = `ARRIVAL-${count}`
    const row = page.evaluate(`new Promise((resolve) => {
      const look = () => document.querySelector("table")?.textContent.includes("${sku}")
        ? resolve() : requestAnimationFrame(look)
      look()
    })`)
    const startedAt = performance.now()
    await fetch(`${souk.url}${itemPath(sku)}`, { headers: { 'x-amz-access-token': token } })
    await row
    times.push(performance.now() - startedAt)
  }
  await page.close()
  return atMost(250, 'a request appears in the log', 'ms', median(times))
}

/** How long the page shows the same frame while requests come in at a steady pace. */
async function measureFrames(souk: SoukProcess, browser: Browser): Promise<Figure[]> {
  const page = await openLog(souk, browser)
  const request = await createRequest(souk)
  const frames = page.evaluate<number>(`new Promise((resolve) => {
    const end = performance.now() + ${PACED_SECONDS * 1000}
    let longest = 0, last = performance.now()
    const frame = (now) => {
      longest = Math.max(longest, now - last)
      last = now
      now < end ? requestAnimationFrame(frame) : resolve(longest)
    }
    requestAnimationFrame(frame)
  })`)
  const startedAt = performance.now()
  const batch = PACED_REQUESTS_PER_SECOND / BATCHES_PER_SECOND
  const batches = PACED_SECONDS * BATCHES_PER_SECOND
  for (let sent = 1; sent <= batches; sent++) {
    await load(souk.url, request, batch)
    await sleep(Math.max(0, startedAt + (sent * 1000) / BATCHES_PER_SECOND - performance.now()))
  }
  const perSecond = (batches * batch) / ((performance.now() - startedAt) / 1000)
  const longest = await frames
  await page.close()
  return [
    atLeastAbsolute(PACED_REQUESTS_PER_SECOND * 0.95, 'requests while a console shows them', 'requests/s', perSecond),
    atMost(500, 'the longest frame meanwhile', 'ms', longest),
  ]
}

/**
 * Processor time of the service, with a reader of the stream that the page opens. Not with the browser: on two cores, a
 * page that watches nothing costs the service as much, because it takes the caches of the processor.
 */
async function measureWatching(souk: SoukProcess): Promise<Figure> {
  const request = await createRequest(souk)
  const measure = async () => {
    const before = cpuMilliseconds(souk.pid)
    await load(souk.url, request, WATCHED_REQUESTS)
    return (WATCHED_REQUESTS / (cpuMilliseconds(souk.pid) - before)) * 1000
  }
  const rounds = await measureRounds(WATCH_ROUNDS, 'requests per CPU second', {
    ours: async () => {
      const reader = new AbortController()
      const stream = await fetch(`${souk.url}/_souk/requests/stream?maxPerSecond=${WATCHED_PER_SECOND}`, {
        headers: { accept: 'text/event-stream' },
        signal: reader.signal,
      })
      if (!stream.ok || !stream.body) throw new Error(`The stream is not served: ${stream.status}`)
      // Read to its end, which is the abort.
      const isRead = stream.body.pipeTo(new WritableStream()).catch(() => {})
      const rate = await measure()
      reader.abort()
      await isRead
      return rate
    },
    baseline: measure,
  })
  return atLeast(0.95, 'getListingsItem while a console watches, over without', 'requests per CPU second', rounds)
}

const itemPath = (sku: string) =>
  `/listings/2021-08-01/items/${demo.sellerId}/${sku}?marketplaceIds=${demo.marketplaceId}`

async function createRequest({ url }: SoukProcess): Promise<Buffer> {
  const token = await fetchToken(url)
  const path = itemPath(demo.skus[0] as string)
  await fetchResponse(url, path, token)
  return writeRequest('GET', url, path, token)
}

const load = (url: string, request: Buffer, count: number) =>
  sendLoad({ url, connections: CONNECTIONS, count, expectedStatus: 200, nextRequest: () => request })
