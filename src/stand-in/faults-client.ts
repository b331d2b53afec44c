import { ActError, type ActErrorDetail } from '../acts/act-error.ts'
import type { FaultRule, Faults, Incident, Incidents } from '../dev/faults/public.ts'
import type { SendJson } from './life-client.ts'

type Method = Parameters<SendJson>[0]

/** The fault rules and incidents of `startSouk`: the requests of `/_souk/faults` and `/_souk/incidents`. */
export function createFaultClients(send: SendJson): { faults: Faults; incidents: Incidents } {
  const call = async <Result>(method: Method, path: string, body?: object): Promise<Result> => {
    const response = await send(method, `/_souk/${path}`, body)
    if (response.statusCode === 204) return undefined as Result
    const result = response.json()
    if (response.statusCode < 300) return result as Result
    throw new ActError(response.statusCode, (result as { errors: ActErrorDetail[] }).errors)
  }
  const faultPath = (id: string) => `faults/${encodeURIComponent(id)}`
  const incidentPath = (name: string) => `incidents/${encodeURIComponent(name)}`
  return {
    faults: {
      add: (settings) => call('POST', 'faults', settings),
      list: async () => (await call<{ faults: FaultRule[] }>('GET', 'faults')).faults,
      get: (id) => call('GET', faultPath(id)),
      enable: (id) => call('PATCH', faultPath(id), { enabled: true }),
      disable: (id) => call('PATCH', faultPath(id), { enabled: false }),
      remove: (id) => call('DELETE', faultPath(id)),
      clear: () => call('DELETE', 'faults'),
    },
    incidents: {
      list: async () => (await call<{ incidents: Incident[] }>('GET', 'incidents')).incidents,
      start: (name, settings = {}) => call('POST', incidentPath(name), settings),
      stop: (name) => call('DELETE', incidentPath(name)),
      stopAll: () => call('DELETE', 'incidents'),
    },
  }
}
