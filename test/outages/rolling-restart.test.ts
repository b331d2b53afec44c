import { Agent, type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startProcesses } from '../support/service-processes.ts'

const CLIENTS = 16
const PROBE_EVERY_MILLISECONDS = 100
const ROUNDS = 2

type Serve = Awaited<ReturnType<Awaited<ReturnType<typeof startProcesses>>['startServe']>>

/** A test balancer: keeps connections open, and routes to the processes that passed the last readiness check. */
class Balancer {
  readonly #backends = new Map<string, { agent: Agent; isReady: boolean }>()
  readonly #stopping = new AbortController()
  #next = 0

  async add(url: string): Promise<void> {
    const backend = { agent: new Agent({ keepAlive: true }), isReady: false }
    this.#backends.set(url, backend)
    while (!backend.isReady) backend.isReady = await isReady(url)
    void this.#probe(url, backend)
  }

  remove(url: string): void {
    this.#backends.get(url)?.agent.destroy()
    this.#backends.delete(url)
  }

  stop(): void {
    this.#stopping.abort()
    for (const url of this.#backends.keys()) this.remove(url)
  }

  /** Returns the status. A client of the balancer gets 502 for a failure here. */
  send(method: string, path: string, headers: Record<string, string>, body?: string): Promise<number> {
    const ready = [...this.#backends].filter(([, { isReady }]) => isReady)
    const [url, { agent }] = ready[this.#next++ % ready.length] as (typeof ready)[number]
    return new Promise((resolve, reject) => {
      const call = request(url + path, { method, headers, agent }, (response: IncomingMessage) => {
        response
          .resume()
          .on('end', () => resolve(response.statusCode ?? 0))
          .on('error', reject)
      })
      call.on('error', reject).end(body)
    })
  }

  async #probe(url: string, backend: { isReady: boolean }): Promise<void> {
    while (this.#backends.has(url) && !this.#stopping.signal.aborted) {
      backend.isReady = await isReady(url)
      await sleep(PROBE_EVERY_MILLISECONDS)
    }
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`)).status === 200
  } catch {
    return false
  }
}

test('a rolling restart behind a load balancer loses no request', async () => {
  const place = await startProcesses({ leaseSeconds: 30, env: { SOUK_DRAIN_SECONDS: '3' } })
  const headers = { authorization: `Bearer ${place.env.SOUK_OPERATOR_KEY}`, 'content-type': 'application/json' }
  const balancer = new Balancer()
  const outcomes = new Map<string, number>()
  let isOver = false

  const marketplace = (id: number) =>
    JSON.stringify({
      marketplaces: [
        {
          marketplaceId: `M${id}`,
          countryCode: 'FR',
          currencyCode: 'EUR',
          languageCode: 'fr_FR',
          name: 'Souk',
          domainName: 'souk.example',
        },
      ],
    })
  const load = async (client: number) => {
    for (let count = 0; !isOver; count++) {
      const sent =
        count % 4 === 0
          ? balancer.send('PUT', '/operator/v1/marketplaces', headers, marketplace(client))
          : balancer.send('GET', '/operator/v1/marketplaces', headers)
      const outcome = await sent.then(String, (error: NodeJS.ErrnoException) => error.code ?? error.message)
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }
  }

  const serving: Serve[] = [await place.startServe(), await place.startServe()]
  for (const { url } of serving) await balancer.add(url)
  const clients = Array.from({ length: CLIENTS }, (_, client) => load(client))
  for (let restart = 0; restart < ROUNDS * 2; restart++) {
    const old = serving.shift() as Serve
    expect(await old.serve.stop()).toMatchObject({ code: 0, stderr: '' })
    balancer.remove(old.url)
    const fresh = await place.startServe()
    await balancer.add(fresh.url)
    serving.push(fresh)
  }
  isOver = true
  await Promise.all(clients)
  balancer.stop()

  const { 200: answered = 0, ...failed } = Object.fromEntries(outcomes)
  expect(failed).toEqual({})
  expect(answered).toBeGreaterThan(100)
  console.log(`${answered} requests over ${ROUNDS * 2} restarts`)
})
