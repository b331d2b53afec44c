import type { Service } from '../composition/service.ts'
import { checkReadings } from '../config/options.ts'
import type { ProgressReaders } from '../dev/progress/index.ts'
import type { ReadingSwitches } from '../dev/readings/reading-switches.ts'
import type { VirtualClock } from '../platform/clock/port.ts'
import type { Souk } from '../public-types.ts'
import { createActClient } from './act-client.ts'
import { createClockClient } from './clock-client.ts'
import { createFaultClients } from './faults-client.ts'
import { createLifeClient, type SendJson } from './life-client.ts'
import { createProgressClient } from './progress-client.ts'
import { createRequestClient, type WatchRequests } from './request-client.ts'
import { createStateClients } from './state-client.ts'
import { createVerifyClient } from './verify-client.ts'

interface ClientOptions {
  clock: VirtualClock
  requestLog: { watch: WatchRequests }
  readings: ReadingSwitches
  progressReaders: ProgressReaders
}

type Clients = Pick<
  Souk,
  | 'snapshots'
  | 'forks'
  | 'queues'
  | 'eventBus'
  | 'overview'
  | 'progress'
  | 'clock'
  | 'buyer'
  | 'carrier'
  | 'competitor'
  | 'life'
  | 'faults'
  | 'incidents'
  | 'requests'
  | 'verify'
  | 'readings'
>

/** The control plane as methods. They send requests to it, so that both have the same checks and results. */
export function createClients(
  edge: Service['edge'],
  { clock, requestLog, readings, progressReaders }: ClientOptions,
): Clients {
  const send: SendJson = (method, path, payload) => edge.inject({ method, url: path, ...(payload && { payload }) })
  return {
    clock: createClockClient(clock, send),
    ...createActClient((path, body) => send('POST', path, body)),
    life: createLifeClient(send),
    ...createFaultClients(send),
    ...createStateClients(send),
    requests: createRequestClient(send, requestLog.watch),
    verify: createVerifyClient(send),
    progress: createProgressClient(progressReaders),
    readings: {
      current: () => ({ ...readings.current }),
      change: (changed) => readings.change(checkReadings(changed)),
    },
  }
}
