import { ActError, type ActErrorDetail } from '../acts/act-error.ts'
import type { BusEvent } from '../dev/event-bus/public.ts'
import type { Overview } from '../dev/overview/public.ts'
import type { Fork, SnapshotSummary } from '../dev/state/public.ts'
import type { Souk } from '../public-types.ts'
import type { SendJson } from './life-client.ts'
import { queryOf } from './request-client.ts'

type StateClients = Pick<Souk, 'snapshots' | 'forks' | 'queues' | 'eventBus' | 'overview'>

/** What snapshots, forks and messages there are: requests of the control plane. */
export function createStateClients(send: SendJson): StateClients {
  const call = async <Result>(method: 'GET' | 'DELETE', path: string): Promise<Result> => {
    const response = await send(method, `/_souk/${path}`)
    if (response.statusCode === 204) return undefined as Result
    const result = response.json()
    if (response.statusCode === 200) return result as Result
    throw new ActError(response.statusCode, (result as { errors: ActErrorDetail[] }).errors)
  }
  return {
    snapshots: {
      list: async () => (await call<{ snapshots: SnapshotSummary[] }>('GET', 'snapshots')).snapshots,
      delete: (name) => call('DELETE', `snapshots/${encodeURIComponent(name)}`),
    },
    forks: {
      list: async () => (await call<{ forks: Fork[] }>('GET', 'forks')).forks,
      stop: (id) => call('DELETE', `forks/${encodeURIComponent(id)}`),
    },
    queues: {
      list: (page = {}) => call('GET', `queue?${queryOf(page)}`),
      messages: (name, page = {}) => call('GET', `queue/${encodeURIComponent(name)}/messages?${queryOf(page)}`),
    },
    eventBus: {
      list: async (page = {}) => (await call<{ events: BusEvent[] }>('GET', `eventBus?${queryOf(page)}`)).events,
    },
    overview: () => call<Overview>('GET', 'overview'),
  }
}
