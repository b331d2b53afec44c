import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import type { ServiceOptions } from '../composition/service.ts'
import type { WorkerOptions } from '../config/config.ts'
import type { Progress } from '../dev/progress/index.ts'
import type { ProxyThrough } from '../dev/proxy/pass-through.ts'
import type { OpenedSeed } from '../dev/seed/index.ts'
import type { KnownSecrets } from '../dev/seed/known-secrets.ts'
import type { ForkCredentials } from '../dev/state/fork-credentials.ts'
import type { DocumentStore } from '../platform/documents/port.ts'
import type { Logger } from '../platform/logging/logger.ts'
import type { MessagingSettings } from '../platform/messaging/messenger.ts'
import type { Expanders } from '../platform/outbox/expander.ts'
import type { Readings } from '../platform/readings.ts'
import type { Souk, SoukOptions } from '../public-types.ts'
import type { StateCopy } from './state.ts'

/** The forks of a marketplace and of its forks, which share the memory of the process. */
export interface ForkFamily {
  running: Set<object>
  lastNumber: number
}

/** The options of `startSouk`, and those of Souk's own commands and tests. */
export interface StandInOptions extends Omit<SoukOptions, 'messaging' | 'proxyThrough'> {
  proxyThrough?: ProxyThrough
  logger?: Logger
  /** What an in-memory database contains at the start. */
  databaseImage?: Uint8Array
  /** The state of another stand-in to start with. */
  copyOf?: StateCopy
  /** Of the parent of a fork. */
  forkFamily?: ForkFamily
  /** The readings to begin with. A reset returns to `readings`. */
  currentReadings?: Readings
  /** The seed of another stand-in, instead of `seed`. */
  openedSeed?: OpenedSeed | undefined
  /** Called with the progress of reading and loading the seed at the start. */
  onSeedProgress?: (progress: Progress) => void
  /** How much of a body the request log keeps. */
  maxLoggedBodyBytes?: number
  /** Of the parent of a fork. */
  knownSecrets?: KnownSecrets
  extraRoutes?: ServiceOptions['extraRoutes']
  messaging?: Partial<MessagingSettings>
  /** Replaces the folder of the documents. */
  documentStore?: DocumentStore
  worker?: Partial<WorkerOptions>
  /** Replaces the expanders of internal events. Without effect on a worker in a thread. */
  expanders?: Expanders
  timeouts?: ServiceOptions['timeouts']
  docsFolder?: string
  consoleFolder?: string
  passwordCost?: ServiceOptions['passwordCost']
  trustedProxies?: ServiceOptions['trustedProxies']
}

export interface StandIn extends Souk {
  /** The credentials that were valid when it started. */
  startCredentials: ForkCredentials
  /** Of a fork: the credentials that are valid now. */
  listCredentials(): Promise<ForkCredentials>
  /** Sends a request without a socket. */
  inject(request: InjectOptions): Promise<LightMyRequestResponse>
}
