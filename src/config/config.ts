import { isIP } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { SolicitationPolicy } from '../areas/solicitations/index.ts'
import type { AwsDeadlines } from '../platform/aws/deadlines.ts'
import type { PostgresDeadlines } from '../platform/database/postgres-deadlines.ts'
import type { ReplicaSettings } from '../platform/database/postgres-replica.ts'
import { isDocumentKey } from '../platform/documents/safe-path.ts'
import type { LoggerOptions } from '../platform/logging/logger.ts'
import type { MessagingSettings } from '../platform/messaging/messenger.ts'
import { READINGS, type Readings } from '../platform/readings.ts'
import type { Rates } from '../platform/throttle/limits.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export type DatabaseConfig = { kind: 'sqlite'; path: string } | PostgresConfig

export interface PostgresConfig {
  kind: 'postgres'
  url: string
  poolSize: number
  deadlines?: PostgresDeadlines
  /** After how long without any response work ends. */
  silenceMilliseconds?: number
  /** Whether it also ends behind a pooler. */
  endsBehindSilentPooler?: boolean
  /** Where large reads go. */
  replica?: ReplicaSettings
  /** How the server lists the connections of this process. */
  applicationName?: string
}

/** Of the request log of the stand-in. */
export const MAX_LOGGED_REQUESTS = 100_000

/** The path of an SQLite database without a file. */
export const IN_MEMORY = ':memory:'

export type DocumentsConfig =
  | { kind: 'file'; folder: string }
  | { kind: 's3'; bucket: string; prefix: string; endpoint?: string; region?: string; deadlines?: AwsDeadlines }

/** All settings of the service. Read once, at start, and passed in; no other file reads settings. */
export interface Config {
  database: DatabaseConfig
  documents: DocumentsConfig
  /** The URL by which sellers reach the service, without a trailing slash. */
  publicUrl: string
  operatorKey: string
  /** Also accepted, while the key is rotated. */
  operatorKeyFallbacks: readonly string[]
  rates: Rates
  quotas: QuotaConfig
  /** Whether the service serves its documentation at `/docs/`. */
  docs: boolean
  /** Whether the service serves its web console at `/console/`. */
  console: boolean
  /** For how many days the audit log of the operator API is kept. */
  auditDays: number
  signing: SigningConfig
  solicitations: SolicitationPolicy
  /** Of the specification. In `souk dev` they change while it runs. */
  readings: Readonly<Readings>
  worker: WorkerConfig
  messaging: MessagingSettings
  /** Absent if traces are not exported. */
  tracing?: TracingConfig
  log: LoggerOptions
}

/** How the processes of `serve` count quotas. */
export interface QuotaConfig {
  /** Of a Valkey or Redis server with buckets that all processes share. Without it, each process has its own. */
  url?: string
  /** How long a request waits for the server. */
  timeoutMilliseconds: number
  /** A process that counts on its own grants this part of each quota. */
  processes: number
}

/** Where and how traces are exported. The variables are those of other OpenTelemetry SDKs. */
export interface TracingConfig {
  url: string
  headers: Readonly<Record<string, string>>
  /** Default: the name of the process. */
  serviceName?: string
  sampledRatio: number
}

export interface WorkerConfig {
  /** Jobs that a process runs at once. */
  concurrency: number
  /** How long a worker that no longer renews its lease keeps a job. */
  leaseSeconds: number
  /** How long a job is retried while a dependency is unavailable. */
  jobOutageHours: number
  /** Maximum of pending notifications per unreachable destination. */
  maxPendingNotifications: number
  /** How many sent notifications of a seller the web console can show. */
  sentNotificationsKept: number
}

export interface WorkerOptions extends WorkerConfig {
  /** Minimum time of a job in each of its states, so that a client that polls can see them. */
  delayMilliseconds: number
  /** How long a scheduled report waits after its period for changes that are not committed yet. Default: 0 */
  settlingMilliseconds?: number
}

export interface SigningConfig {
  required: boolean
  masterSecret: string
  /** Their signatures are also accepted, while the secret is rotated. Nothing is signed with them. */
  fallbackSecrets: readonly string[]
}

export interface ListenConfig {
  host: string
  port: number
  /** How long the port stays open, not ready, after the signal to stop. */
  drainSeconds: number
  maxConnections: number
  /** Addresses and networks whose `X-Forwarded-For` has the address of the client. */
  trustedProxies: readonly string[]
}

export const defaultListen: Pick<ListenConfig, 'port' | 'drainSeconds' | 'maxConnections'> = {
  port: 4700,
  drainSeconds: 10,
  maxConnections: 10_000,
}

export const DEFAULT_AUDIT_DAYS = 365

export const DEFAULT_SILENCE_MILLISECONDS = 1500

export const DEFAULT_REPLICA_WAIT_MILLISECONDS = 100

export const DEFAULT_WORKER_PORT = 4702

export const defaultQuotas: QuotaConfig = { timeoutMilliseconds: 50, processes: 1 }

export const defaultPolicy: SolicitationPolicy = {
  window: { opensAfterDays: 5, closesAfterDays: 30 },
}

export const defaultWorker: WorkerConfig = {
  concurrency: 4,
  leaseSeconds: 30,
  jobOutageHours: 24,
  maxPendingNotifications: 100_000,
  sentNotificationsKept: 0,
}

/** It sends few notifications, and developers want to see them. */
export const standInWorker: WorkerConfig = { ...defaultWorker, sentNotificationsKept: 100 }

/** A setting that cannot be used. Its message is one sentence that names the setting. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ConfigError'
  }
}

/** `documented`, `off`, or a multiplier above zero. */
export function parseRates(text: string, name: string): Rates {
  if (text === 'documented' || text === 'off') return text
  const multiplier = Number(text)
  if (text.trim() !== '' && Number.isFinite(multiplier) && multiplier > 0) return multiplier
  throw new ConfigError(`${name} must be documented, off or a number above 0, not "${text}".`)
}

/** `repeatSolicitation=400`, one text for each reading. */
export function parseReadings(texts: readonly string[], name: string): Partial<Readings> {
  return Object.fromEntries(
    texts.map((text) => {
      const [reading = '', value] = text.trim().split('=')
      const values: readonly (string | number)[] = Object.hasOwn(READINGS, reading)
        ? READINGS[reading as keyof Readings]
        : []
      const found = values.find((one) => String(one) === value)
      if (found !== undefined) return [reading, found]
      const known = Object.entries(READINGS).map(([one, choices]) => `${one}=${choices.join('|')}`)
      throw new ConfigError(`${name} must be ${known.join(', ')}, not "${text}".`)
    }),
  )
}

/** A whole number within bounds. */
export function parseInteger(text: string, name: string, { min, max }: { min: number; max: number }): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value <= max) return value
  throw new ConfigError(`${name} must be an integer from ${min} to ${max}, not "${text}".`)
}

export function parseChoice<Choice extends string>(text: string, name: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((one) => one === text)
  if (choice !== undefined) return choice
  throw new ConfigError(`${name} must be ${choices.join(' or ')}, not "${text}".`)
}

/** An address of this machine: an IP address, or `localhost`. */
export function parseAddress(text: string, name: string): string {
  if (text === 'localhost' || isIP(text) !== 0) return text
  throw new ConfigError(`${name} must be an IP address such as 0.0.0.0, not "${text}".`)
}

/** The address of a service and no more: `https://souk.example`. */
export function parseOrigin(text: string, name: string): string {
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol) && (url.href === url.origin || url.href === `${url.origin}/`)) {
    return url.origin
  }
  throw new ConfigError(`${name} must be an http or https URL without a path, not "${text}".`)
}

/** `file:///a/folder`, or `s3://bucket` with or without a path. */
export function parseDocumentsUrl(text: string, name: string): DocumentsConfig {
  const folder = text.startsWith('file:///') ? folderOf(text) : undefined
  if (folder) return { kind: 'file', folder }
  const [, bucket, prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*?)\/?)?$/.exec(text) ?? []
  if (bucket && (prefix === '' || isDocumentKey(prefix))) return { kind: 's3', bucket, prefix }
  throw new ConfigError(`${name} must be file:///absolute/folder or s3://bucket/optional/prefix, not "${text}".`)
}

function folderOf(fileUrl: string): string | undefined {
  try {
    return fileURLToPath(fileUrl)
  } catch {
    return undefined
  }
}

const PROXIED_HOST = /^(\*\.)?([a-z0-9_.-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?$/i

/** Hosts that the proxy lets pass: names, `*.domain` or IP addresses, each with or without a port. */
export function parseProxiedHosts(hosts: readonly string[], name: string): readonly string[] {
  const invalid = hosts.find((host) => !PROXIED_HOST.test(host))
  if (invalid === undefined) return hosts
  throw new ConfigError(
    `${name} must list hosts such as example.com or *.example.com:8443, not ${JSON.stringify(invalid)}.`,
  )
}
