import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { type Config, defaultPolicy } from './config/config.ts'
import { type Demo, demo, operatorKey, signingMasterSecret } from './dev/demo/index.ts'
import type { Rates } from './http/quotas.ts'
import type { VirtualClock } from './platform/clock/port.ts'
import { SystemClock } from './platform/clock/system-clock.ts'
import type { Ids } from './platform/ids/port.ts'
import { RandomIds } from './platform/ids/random-ids.ts'
import { createLogger, type Logger } from './platform/logging/logger.ts'
import { createService, migrateDatabase, openDatabase, type ServiceOptions } from './service.ts'

export { ManualClock } from './platform/clock/manual-clock.ts'
export type { VirtualClock } from './platform/clock/port.ts'
export type { Ids } from './platform/ids/port.ts'
export { SequentialIds } from './platform/ids/sequential-ids.ts'
export type { Demo }

export interface SoukOptions {
  /** A free port unless stated. */
  port?: number
  /** The local address to listen on: 127.0.0.1 unless stated. */
  host?: string
  /** In memory unless stated: the path of an SQLite file, or a `postgres://` address. */
  database?: string
  clock?: VirtualClock
  ids?: Ids
  /** The documented quotas unless stated. */
  rates?: Rates
  /** Whether the demo marketplace is there. It is unless declined. */
  demo?: boolean
  logger?: Logger
  signing?: Partial<Config['signing']>
  solicitations?: Partial<Config['solicitations']>
  /** For Souk's own tests. */
  extraRoutes?: ServiceOptions['extraRoutes']
  timeouts?: ServiceOptions['timeouts']
}

export interface Souk extends AsyncDisposable {
  url: string
  /** Ids and credentials of the demo marketplace. */
  demo: Demo
  /** When the demo marketplace was loaded, if it is there: its dates are around that moment. */
  demoLoadedAt: Date | undefined
  clock: VirtualClock
  /** Answers a request without a socket. */
  inject(request: InjectOptions): Promise<LightMyRequestResponse>
  /** Back to a new marketplace: demo data, clock, quotas and all. */
  reset(): Promise<void>
  stop(): Promise<void>
}

/** Starts a stand-in marketplace in this process. `souk dev` is this with a banner. */
export async function startSouk(options: SoukOptions = {}): Promise<Souk> {
  const { host = '127.0.0.1', port = 0, clock = new SystemClock() } = options
  const database = await openDatabase(databaseConfig(options.database ?? ':memory:'))
  const logger = options.logger ?? (await createLogger({ level: 'silent', pretty: false }))
  try {
    await migrateDatabase(database, clock)
    const service = await createService(
      {
        operatorKey,
        rates: options.rates ?? 'documented',
        signing: { required: false, masterSecret: signingMasterSecret, ...options.signing },
        solicitations: { ...defaultPolicy, ...options.solicitations },
      },
      { database, clock, ids: options.ids ?? new RandomIds(), logger },
      {
        standIn: { demo: options.demo ?? true },
        ...(options.extraRoutes && { extraRoutes: options.extraRoutes }),
        ...(options.timeouts && { timeouts: options.timeouts }),
      },
    )
    const stop = async () => {
      await service.stop()
      await database.close()
    }
    const url = await service.app.listen({ host, port }).catch(async (error: unknown) => {
      await service.stop()
      throw error
    })
    return {
      url,
      demo,
      demoLoadedAt: service.demoLoadedAt,
      clock,
      inject: (request) => service.app.inject(request),
      reset: service.reset,
      stop,
      [Symbol.asyncDispose]: stop,
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

function databaseConfig(database: string): Config['database'] {
  if (/^postgres(ql)?:\/\//.test(database)) return { kind: 'postgres', url: database, poolSize: 10 }
  return { kind: 'sqlite', path: database }
}
