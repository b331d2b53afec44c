/// <reference lib="esnext.disposable" preserve="true" />
// The types of the package. Users compile them, so they refer to no dependency, and to no module that does.
import type { Buyer, Carrier, Competitor } from './acts/public.ts'
import type { SoukClock } from './dev/clock/public.ts'
import type { Demo } from './dev/demo/demo.ts'
import type { EventBus } from './dev/event-bus/public.ts'
import type { Faults, Incidents } from './dev/faults/public.ts'
import type { Life } from './dev/life/public.ts'
import type { Overview } from './dev/overview/public.ts'
import type { WatchProgress } from './dev/progress/public.ts'
import type { LocalQueues } from './dev/queue/inspection/public.ts'
import type { Requests } from './dev/requests/public.ts'
import type { Verify } from './dev/requests/verify/public.ts'
import type { MarketplaceSeed, SeedCredentials } from './dev/seed/public.ts'
import type { ResetOptions, RestoreOptions, RunningForks, Snapshots } from './dev/state/public.ts'
import type { VirtualClock } from './platform/clock/port.ts'
import type { Ids } from './platform/ids/port.ts'
import type { Readings } from './platform/readings.ts'

export interface SoukOptions {
  /** Default: a free port. */
  port?: number
  /** The local address to listen on. Default: 127.0.0.1. */
  host?: string
  /**
   * A local address on which the control plane (`/_souk/`) is served besides 127.0.0.1 and ::1, or 0.0.0.0 for all that
   * `host` includes. Default: none.
   */
  controlHost?: string
  /** The origin of signed URLs. Default: the address that the server listens on. */
  publicUrl?: string
  /** The path of an SQLite file or a `postgres://` URL. Default: in memory. */
  database?: string
  /** The folder of the snapshots. Default: a temporary folder. */
  snapshots?: string
  /** The folder of the documents. Default: a temporary folder. */
  documents?: string
  /** The port of the local queue. Default: a free port. */
  queuePort?: number
  /** The file of the events for EventBridge. Default: in the folder of the documents. */
  eventBus?: string
  /** Whether to listen with TLS too, with certificates for the vendor's hosts. Default: false. */
  tls?: boolean
  /** The port for TLS. Default: a free port. */
  tlsPort?: number
  /** The folder of the local certificate authority. Default: a temporary folder. */
  certificates?: string
  /**
   * Which hosts besides the vendor's the proxy serves: `true` for all public ones, or a list such as
   * `['example.com', '*.example.org:8443']`. Default: none.
   */
  proxyThrough?: boolean | readonly string[]
  /** Start with new data: deletes the database file, the events and the documents in the folder that Souk wrote. */
  fresh?: boolean
  /** Default: the system clock, which can be advanced. */
  clock?: VirtualClock
  /** Default: random ids. */
  ids?: Ids
  /** The documented quotas, none, or the documented quotas times a number. Default: the documented quotas. */
  rates?: 'documented' | 'off' | number
  /** Minimum milliseconds of a job in each of its states. Default: 0. */
  delay?: number
  /** Whether to load the demo marketplace. Default: true. */
  demo?: boolean
  /** How many of the last requests are kept for `souk.requests` and `souk.verify`; 0 for none. Default: 1,000. */
  requestLog?: number
  /** A seed file in YAML or JSON, or its content: loaded instead of the demo marketplace. A reset goes back to it. */
  seed?: string | MarketplaceSeed
  /** Default: no log. */
  log?: LogOptions
  signing?: SigningOptions
  solicitations?: SolicitationOptions
  /** How to read the specification where it contradicts itself. */
  readings?: Partial<Readings>
  messaging?: MessagingOptions
}

export interface LogOptions {
  level: 'silent' | 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace'
  /** Colored lines for a terminal instead of JSON. */
  pretty: boolean
}

/** AWS Signature Version 4 of requests. */
export interface SigningOptions {
  /** Default: false, which ignores signatures. */
  required?: boolean
  /** The secret from which signing keys are derived, and which signs URLs of documents. */
  masterSecret?: string
  /** Other secrets whose signatures are accepted. */
  fallbackSecrets?: readonly string[]
}

export interface SolicitationOptions {
  /** When a review can be requested, in days after delivery. Default: 5 to 30. */
  window?: { opensAfterDays: number; closesAfterDays: number }
}

/** Services that receive notifications instead of the local queue and the file of events. */
export interface MessagingOptions {
  sqs?: AwsEndpoint
  eventBridge?: (AwsEndpoint & { busName: string }) | { file: string }
}

export interface AwsEndpoint {
  /** Default: AWS. */
  endpoint?: string
  /** Default: as in other AWS clients. */
  credentials?: { accessKeyId: string; secretAccessKey: string }
}

/** The certificate of the local certificate authority. */
export interface LocalAuthority {
  /** The path of the certificate. */
  file: string
  /** The path of a file with the certificate and the authorities that Node.js trusts. */
  bundleFile: string
  /** The certificate as PEM text. */
  certificate: string
}

export interface Souk extends AsyncDisposable {
  url: string
  /** The URL of the local queue service: the endpoint for an SQS client. */
  queueUrl: string
  /** The URL of the API with TLS, if the option `tls` is set. */
  tlsUrl: string | undefined
  /** Returns the certificate that clients of `tlsUrl` and of the proxy must trust. Creates it on first use. */
  localAuthority(): Promise<LocalAuthority>
  /** Ids and credentials of the demo marketplace. They are valid if the content is that. */
  demo: Demo
  /** When the demo marketplace was loaded, also by a reset, if the content is that. Its dates are around that time. */
  readonly demoLoadedAt: Date | undefined
  /** Applications that Souk started with, with their credentials: those of the seed, or of the demo marketplace. */
  applications: SeedCredentials[]
  /** Time, and what is due next. */
  clock: SoukClock
  /** What buyers do. An act that is not possible rejects with an `ActError`. */
  buyer: Buyer
  carrier: Carrier
  competitor: Competitor
  /** A living market: competitors, buyers and carriers that act while the clock moves. */
  life: Life
  /** How the specification is read where it contradicts itself. */
  readings: {
    current(): Readings
    /** Changes some readings until the next reset. */
    change(readings: Partial<Readings>): Readings
  }
  /** Rules by which requests, reports, feeds and notifications fail. */
  faults: Faults
  /** The last requests, and why they were refused. */
  requests: Requests
  /** Problems that many developers had with the live service, each in one call. */
  incidents: Incidents
  /** Checks which requests came. Rejects with a `VerificationError` if an expectation is not met. */
  verify: Verify
  /** Recent activity, sales and background work. */
  overview(): Promise<Overview>
  progress: WatchProgress
  /** Resolves when all background work that is due is done, such as generating reports. */
  idle(): Promise<void>
  /**
   * Resets everything: demo data, clock and quotas. With a time, the clock and the dates of the demo data are around it.
   * Waits for running requests; new requests wait until the reset is done. So do the next three.
   */
  reset(options?: ResetOptions): Promise<void>
  /** Saves the whole state under a name: rows, documents, queue, clock and quotas. Overwrites by default. */
  snapshot(name: string, options?: { replace?: boolean }): Promise<void>
  /** Replaces the whole state by a snapshot. */
  restore(name: string, options?: RestoreOptions): Promise<void>
  /** The snapshots that there are. */
  snapshots: Snapshots
  /** The forks of this marketplace that are running. */
  forks: RunningForks
  /** The local queues and their messages. */
  queues: LocalQueues
  /** Events for EventBridge destinations. */
  eventBus: EventBus
  /** Returns the marketplace as a seed. It has the digests of secrets, not the secrets. */
  export(): Promise<MarketplaceSeed>
  /**
   * Replaces the marketplace by a seed, or changes nothing and rejects with a `SeedError`. Takes the path of a file, or
   * its content. Returns its applications with their credentials.
   */
  import(seed: string | MarketplaceSeed): Promise<SeedCredentials[]>
  /**
   * Starts an isolated copy of the marketplace in this process, with an address and credentials of its own. It stops
   * with its parent, at the latest.
   */
  fork(options?: { snapshot?: string }): Promise<Souk>
  stop(): Promise<void>
}
