import { ActError, type ActErrorDetail } from '../acts/act-error.ts'
import type { LocalQueues } from '../dev/queue/inspection/public.ts'
import type { Fork, RunningForks, SnapshotSummary, Snapshots } from '../dev/state/public.ts'
import type { SendJson } from './life-client.ts'
import { queryOf } from './request-client.ts'

/** What snapshots, forks and messages there are: requests of the control plane. */
export function createStateClients(send: SendJson): { snapshots: Snapshots; forks: RunningForks; queues: LocalQueues } {
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
    forks: { list: async () => (await call<{ forks: Fork[] }>('GET', 'forks')).forks },
    queues: {
      list: (page = {}) => call('GET', `queue?${queryOf(page)}`),
      messages: (name, page = {}) => call('GET', `queue/${encodeURIComponent(name)}/messages?${queryOf(page)}`),
    },
  }
}
