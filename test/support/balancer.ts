import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { waitFor } from './wait-for.ts'

const PROBE_EVERY_MILLISECONDS = 100
const PROBE_WITHIN_MILLISECONDS = 5_000

export interface BalancedRequest {
  method: string
  path: string
  headers: Record<string, string>
  body?: string
}

export interface BalancedResponse {
  status: number
  retryAfter: string | undefined
  body: string
}

interface Backend {
  url: string
  agent: Agent
  isReady: boolean
}

/**
 * A test balancer: keeps connections open, and routes to the processes that passed the last readiness check. While none
 * did, it routes to all of them, as the balancers of cloud services do.
 */
export class Balancer {
  readonly #backends = new Map<string, Backend>()
  readonly #stopping = new AbortController()
  #next = 0

  async add(url: string): Promise<void> {
    const backend = { url, agent: new Agent({ keepAlive: true }), isReady: false }
    this.#backends.set(url, backend)
    await becomesReady(url)
    backend.isReady = true
    void this.#probe(backend)
  }

  remove(url: string): void {
    this.#backends.get(url)?.agent.destroy()
    this.#backends.delete(url)
  }

  stop(): void {
    this.#stopping.abort()
    for (const url of this.#backends.keys()) this.remove(url)
  }

  /**
   * A backend that accepts no connection has not seen the request, so the next one gets it. Rejects if a response is
   * lost.
   */
  async send(call: BalancedRequest): Promise<BalancedResponse> {
    for (let attempt = 1; ; attempt++) {
      const backend = this.#choose()
      try {
        return await sendTo(backend, call)
      } catch (error) {
        backend.isReady = false
        if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED' || attempt >= this.#backends.size) throw error
      }
    }
  }

  #choose(): Backend {
    const all = [...this.#backends.values()]
    const ready = all.filter(({ isReady }) => isReady)
    const usable = ready.length > 0 ? ready : all
    return usable[this.#next++ % usable.length] as Backend
  }

  async #probe(backend: Backend): Promise<void> {
    while (this.#backends.get(backend.url) === backend && !this.#stopping.signal.aborted) {
      backend.isReady = await isReady(backend.url)
      await sleep(PROBE_EVERY_MILLISECONDS)
    }
  }
}

function sendTo({ url, agent }: Backend, { method, path, headers, body }: BalancedRequest): Promise<BalancedResponse> {
  return new Promise((resolve, reject) => {
    const call = request(url + path, { method, headers, agent }, (response: IncomingMessage) => {
      const { statusCode: status = 0, headers: received } = response
      text(response).then((body) => resolve({ status, retryAfter: received['retry-after'], body }), reject)
    })
    call.on('error', reject).end(body)
  })
}

/** A process that does not become ready fails the test. */
export async function becomesReady(url: string): Promise<void> {
  await waitFor(
    () => isReady(url),
    (ready) => ready,
  )
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(PROBE_WITHIN_MILLISECONDS) })).status === 200
  } catch {
    return false
  }
}
