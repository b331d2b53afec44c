import type { Config } from '../config/config.ts'
import type { DemoCredentials } from '../dev/demo/index.ts'
import type { LocalQueue } from '../dev/local-queue.ts'
import type { CompleteSeed, ExportFormat, OpenedSeed, ReportRows } from '../dev/seed/index.ts'
import type { CredentialsOfFork } from '../dev/state/fork-credentials.ts'
import type { Edge, EdgeOptions } from '../http/edge.ts'
import type { Routes } from '../http/route.ts'
import type { PasswordCost } from '../platform/auth/password.ts'
import type { DueSource } from '../platform/due.ts'
import type { Quotas } from './adapters.ts'

export type ServiceConfig = Omit<
  Config,
  'database' | 'documents' | 'publicUrl' | 'quotas' | 'worker' | 'messaging' | 'log'
>

export interface ServiceOptions {
  /** Has the worker of this process poll now. Omitted where other processes are the workers. */
  wakeWorker?: () => void
  /** The URL by which sellers reach the service. */
  publicUrl: () => string
  /** Minimum time of a job in each of its states. Default: 0. */
  delayMilliseconds?: number
  /** Present for the stand-in only: adds its control plane and, with `demo`, the demo marketplace. */
  standIn?: {
    demo: boolean
    credentials: DemoCredentials
    /** Present in a fork. */
    forkCredentials?: CredentialsOfFork | undefined
    eventBusFile: string
    controlHost: string | undefined
    /** Waits for the work that is due, for a limited time. */
    settle(): Promise<void>
    /** What is due later besides jobs and what areas have. */
    due: readonly DueSource[]
    localQueue?: LocalQueue
    seed?: OpenedSeed
    /** Reports how many rows of the seed are written, and of how many. */
    reportSeed?: (done: number, total: number) => void
    /** Whether the database survives the process. Moves of the clock are then stored. */
    isKept: boolean
    /** The time of the content, if the database is a copy of another stand-in's. */
    copiedAt?: { time: Date; frozen: boolean }
  }
  /** Shared with other processes. Default: quotas of this process. */
  quotas?: Quotas
  /** How long `/metrics` keeps the numbers that need queries. Default: not at all. */
  cacheMetricsMilliseconds?: number
  /** Present if other processes serve the same port. */
  metricsGroup?: EdgeOptions['metricsGroup']
  /** Hooks on all routes of the API. */
  hooks?: Routes[]
  /** For tests. */
  extraRoutes?: Routes[]
  /** The folder of the documentation site. Default: that of the package. */
  docsFolder?: string
  /** The folder of the built console. Default: that of the package. */
  consoleFolder?: string
  passwordCost?: PasswordCost
  timeouts?: EdgeOptions['timeouts']
  maxConnections?: number
  trustedProxies?: EdgeOptions['trustedProxies']
}

/** The state of the stand-in besides its database. Nothing else may run during these calls. */
export interface StandInState {
  /** Empties the database and loads the demo marketplace, or the seed. */
  reset(options?: { time?: Date; frozen?: boolean }): Promise<void>
  replaceBySeed(seed: CompleteSeed, report?: ReportRows): Promise<void>
  export(format: ExportFormat): Promise<string>
  /** Call it after the content of the database was replaced, with the time of that content. */
  replaced(time: Date, options: { frozen: boolean }): Promise<void>
  /** Writes what was counted and is not in the database yet. */
  flush(): Promise<void>
  saveQuotas(): Record<string, number>[]
  loadQuotas(quotas: readonly Record<string, number>[]): void
  /** Has an access token expire now. Rejects with the error of a request that uses it then. */
  expireToken(token: string): Promise<never>
}

export interface Service {
  /** To listen, and to drain some time before `stop`, which closes it. */
  edge: Pick<Edge, 'listen' | 'inject' | 'drain'>
  /** When the demo marketplace was loaded, if the content is that. */
  readonly demoLoadedAt: Date | undefined
  /** Whether the demo marketplace or the seed was loaded at this start. */
  isNew: boolean
  /** Of the stand-in only. */
  state: StandInState | undefined
  /** Deletes no expired data until the returned function is called. */
  pauseSweeps(): Promise<() => void>
  stop(): Promise<void>
}
