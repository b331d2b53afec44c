import { ActError, type ActErrorDetail } from '../acts/act-error.ts'
import type { Life, LifeReport } from '../dev/life/public.ts'

export type SendJson = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
) => Promise<{ statusCode: number; json(): unknown }>

/** The living market of `startSouk`: the requests of `/_souk/life`. */
export function createLifeClient(send: SendJson): Life {
  const call = async (method: 'GET' | 'POST' | 'DELETE', body?: object): Promise<LifeReport> => {
    const response = await send(method, '/_souk/life', body)
    const result = response.json()
    if (response.statusCode === 200) return result as LifeReport
    throw new ActError(response.statusCode, (result as { errors: ActErrorDetail[] }).errors)
  }
  return {
    start: (settings = {}) => call('POST', settings),
    stop: () => call('DELETE'),
    status: () => call('GET'),
  }
}
