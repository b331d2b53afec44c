import { type AwsDeadlines, defaultDeadlines } from '../platform/aws/deadlines.ts'
import { defaultPostgresDeadlines, type PostgresDeadlines } from '../platform/database/postgres-deadlines.ts'
import { LOG_LEVELS } from '../platform/logging/logger.ts'
import { defaultReadings, type Readings } from '../platform/readings.ts'
import {
  type Config,
  ConfigError,
  DEFAULT_AUDIT_DAYS,
  DEFAULT_REPLICA_WAIT_MILLISECONDS,
  DEFAULT_SILENCE_MILLISECONDS,
  DEFAULT_WORKER_PORT,
  type DocumentsConfig,
  defaultListen,
  defaultPolicy,
  defaultWorker,
  type Environment,
  type ListenConfig,
  type PostgresConfig,
  parseChoice,
  parseDocumentsUrl,
  parseInteger,
  parseOrigin,
  parseRates,
  parseReadings,
  type SigningConfig,
  type WorkerConfig,
} from './config.ts'
import { isKubernetesLink } from './ignored-variables.ts'
import { readQuotas } from './quotas.ts'
import { readTracing } from './tracing.ts'
import { parseTrustedProxies } from './trusted-proxies.ts'
import { readInteger, readOptional, refuseUnknown, requireAll, requireVariable, type Variable } from './variables.ts'

const MIN_SECRET_LENGTH = 16
const MAX_FALLBACKS = 5
const DAYS = { min: 0, max: 3650 }

const REQUIRED = [
  'SOUK_DATABASE_URL',
  'SOUK_DOCUMENTS_URL',
  'SOUK_PUBLIC_URL',
  'SOUK_OPERATOR_KEY',
  'SOUK_SIGNING_SECRET',
] as const satisfies Variable[]

export type ServiceSettings = Config & { database: PostgresConfig }

export function readServiceConfig(env: Environment): ServiceSettings {
  refuseUnknown(env)
  requireAll(env, REQUIRED)
  const tracing = readTracing(env)
  return {
    ...(tracing && { tracing }),
    database: { ...readDatabaseConfig(env), ...readReplica(env) },
    documents: readDocuments(env),
    publicUrl: parseOrigin(requireVariable(env, 'SOUK_PUBLIC_URL'), 'SOUK_PUBLIC_URL'),
    operatorKey: readSecret(env, 'SOUK_OPERATOR_KEY'),
    operatorKeyFallbacks: readFallbacks(env, 'SOUK_OPERATOR_KEY'),
    rates: parseRates(readOptional(env, 'SOUK_RATES', 'documented'), 'SOUK_RATES'),
    quotas: readQuotas(env),
    docs: parseChoice(readOptional(env, 'SOUK_DOCS', 'off'), 'SOUK_DOCS', ['off', 'on']) === 'on',
    console: parseChoice(readOptional(env, 'SOUK_CONSOLE', 'off'), 'SOUK_CONSOLE', ['off', 'on']) === 'on',
    auditDays: readInteger(env, 'SOUK_AUDIT_DAYS', { ...DAYS, min: 1, defaultValue: DEFAULT_AUDIT_DAYS }),
    signing: readSigning(env),
    solicitations: { window: readWindow(env) },
    readings: { ...defaultReadings, ...readReadings(env) },
    worker: readWorker(env),
    messaging: readMessaging(env),
    log: {
      level: parseChoice(readOptional(env, 'SOUK_LOG_LEVEL', 'info'), 'SOUK_LOG_LEVEL', LOG_LEVELS),
      pretty: false,
    },
  }
}

/** Separated by commas. */
export function readReadings(env: Environment): Partial<Readings> {
  const text = env.SOUK_READINGS
  return text ? parseReadings(text.split(','), 'SOUK_READINGS') : {}
}

export function readListenConfig(env: Environment): ListenConfig {
  return {
    host: readOptional(env, 'SOUK_HOST', '0.0.0.0'),
    port: readPort(env, 'SOUK_PORT', defaultListen.port),
    drainSeconds: readInteger(env, 'SOUK_DRAIN_SECONDS', {
      defaultValue: defaultListen.drainSeconds,
      min: 0,
      max: 3600,
    }),
    maxConnections: readInteger(env, 'SOUK_MAX_CONNECTIONS', {
      defaultValue: defaultListen.maxConnections,
      min: 1,
      max: 1_000_000,
    }),
    trustedProxies: parseTrustedProxies(env.SOUK_TRUSTED_PROXIES, 'SOUK_TRUSTED_PROXIES'),
  }
}

/** Where `worker` serves its probes. */
export function readWorkerListenConfig(env: Environment): Pick<ListenConfig, 'host' | 'port'> {
  return {
    host: readOptional(env, 'SOUK_HOST', '0.0.0.0'),
    port: readPort(env, 'SOUK_WORKER_PORT', DEFAULT_WORKER_PORT),
  }
}

/** Kubernetes sets a variable of the same name beside a Service. */
function readPort(env: Environment, name: 'SOUK_PORT' | 'SOUK_WORKER_PORT', defaultValue: number): number {
  const text = isKubernetesLink(name, env[name]) ? '' : env[name]
  return parseInteger(text || String(defaultValue), name, { min: 0, max: 65535 })
}

export function readDatabaseConfig(env: Environment): PostgresConfig {
  refuseUnknown(env)
  const url = parseDatabaseUrl(requireVariable(env, 'SOUK_DATABASE_URL'), 'SOUK_DATABASE_URL')
  const poolSize = readInteger(env, 'SOUK_DATABASE_POOL', { defaultValue: 10, min: 1, max: 1000 })
  return { kind: 'postgres', url, poolSize, deadlines: readDatabaseDeadlines(env) }
}

/** Of `serve`. A job can wait longer, and may have to. */
export function readSilence(env: Environment): Pick<PostgresConfig, 'silenceMilliseconds'> {
  const name = 'SOUK_DATABASE_SILENCE_MILLISECONDS'
  const text = readOptional(env, name, String(DEFAULT_SILENCE_MILLISECONDS))
  if (text === '0') return { silenceMilliseconds: 0 }
  // In less, a server that works may not respond.
  return { silenceMilliseconds: parseInteger(text, `${name}, unless it is 0,`, { min: 1000, max: 60_000 }) }
}

function readReplica(env: Environment): Pick<PostgresConfig, 'replica'> {
  const waitMilliseconds = readInteger(env, 'SOUK_DATABASE_REPLICA_WAIT_MILLISECONDS', {
    defaultValue: DEFAULT_REPLICA_WAIT_MILLISECONDS,
    min: 0,
    max: 5000,
  })
  const url = env.SOUK_DATABASE_REPLICA_URL
  if (!url) return {}
  return { replica: { url: parseDatabaseUrl(url, 'SOUK_DATABASE_REPLICA_URL'), waitMilliseconds } }
}

function parseDatabaseUrl(url: string, name: Variable): string {
  if (/^postgres(ql)?:\/\//.test(url) && URL.canParse(url)) return url
  throw new ConfigError(`${name} must be a PostgreSQL URL: postgres://user@host/name.`)
}

function readDatabaseDeadlines(env: Environment): PostgresDeadlines {
  const seconds = (name: Variable, defaultValue: number) => readInteger(env, name, { defaultValue, min: 1, max: 3600 })
  return {
    connectSeconds: seconds('SOUK_DATABASE_CONNECT_TIMEOUT_SECONDS', defaultPostgresDeadlines.connectSeconds),
    statementSeconds: seconds('SOUK_DATABASE_STATEMENT_TIMEOUT_SECONDS', defaultPostgresDeadlines.statementSeconds),
    lockSeconds: seconds('SOUK_DATABASE_LOCK_TIMEOUT_SECONDS', defaultPostgresDeadlines.lockSeconds),
    idleTransactionSeconds: seconds(
      'SOUK_DATABASE_IDLE_TRANSACTION_TIMEOUT_SECONDS',
      defaultPostgresDeadlines.idleTransactionSeconds,
    ),
    conflictSeconds: seconds('SOUK_DATABASE_CONFLICT_TIMEOUT_SECONDS', defaultPostgresDeadlines.conflictSeconds),
  }
}

function readDocuments(env: Environment): DocumentsConfig {
  const documents = parseDocumentsUrl(requireVariable(env, 'SOUK_DOCUMENTS_URL'), 'SOUK_DOCUMENTS_URL')
  if (documents.kind === 'file') return documents
  const [endpoint, region] = [env.SOUK_S3_ENDPOINT, env.SOUK_S3_REGION]
  if (region && !/^[a-z0-9-]+$/.test(region)) {
    throw new ConfigError(`SOUK_S3_REGION must be the name of a region such as eu-west-1, not "${region}".`)
  }
  return {
    ...documents,
    deadlines: readDeadlines(env),
    ...(endpoint && { endpoint: parseOrigin(endpoint, 'SOUK_S3_ENDPOINT') }),
    ...(region && { region }),
  }
}

function readWorker(env: Environment): WorkerConfig {
  const integer = (name: Variable, defaultValue: number, max: number) =>
    readInteger(env, name, { defaultValue, min: 1, max })
  const leaseSeconds = readInteger(env, 'SOUK_WORKER_LEASE_SECONDS', {
    defaultValue: defaultWorker.leaseSeconds,
    min: 3,
    max: 3600,
  })
  // The worker renews the lease of a destination between calls, from the half of its time on.
  if (readDeadlines(env).callMilliseconds * 2 >= leaseSeconds * 1000) {
    throw new ConfigError('SOUK_AWS_TIMEOUT_SECONDS must be less than half of SOUK_WORKER_LEASE_SECONDS.')
  }
  return {
    concurrency: integer('SOUK_WORKER_CONCURRENCY', defaultWorker.concurrency, 64),
    leaseSeconds,
    jobOutageHours: integer('SOUK_JOB_OUTAGE_HOURS', defaultWorker.jobOutageHours, 720),
    maxPendingNotifications: integer('SOUK_NOTIFICATION_BACKLOG', defaultWorker.maxPendingNotifications, 10_000_000),
    sentNotificationsKept: readInteger(env, 'SOUK_SENT_NOTIFICATIONS', {
      defaultValue: defaultWorker.sentNotificationsKept,
      min: 0,
      max: 1000,
    }),
  }
}

function readMessaging(env: Environment): Config['messaging'] {
  const endpointOf = (name: Variable) => {
    const endpoint = env[name]
    return { deadlines, ...(endpoint && { endpoint: parseOrigin(endpoint, name) }) }
  }
  const deadlines = readDeadlines(env)
  const busName = readOptional(env, 'SOUK_EVENTBRIDGE_BUS', 'default')
  if (!/^[\w./-]{1,256}$/.test(busName)) {
    throw new ConfigError(`SOUK_EVENTBRIDGE_BUS must be the name of an event bus, not "${busName}".`)
  }
  return { sqs: endpointOf('SOUK_SQS_ENDPOINT'), eventBridge: { busName, ...endpointOf('SOUK_EVENTBRIDGE_ENDPOINT') } }
}

function readDeadlines(env: Environment): AwsDeadlines {
  const milliseconds = (name: Variable, defaultValue: number, max: number) =>
    1000 * readInteger(env, name, { defaultValue: defaultValue / 1000, min: 1, max })
  return {
    connectMilliseconds: milliseconds('SOUK_AWS_CONNECT_TIMEOUT_SECONDS', defaultDeadlines.connectMilliseconds, 60),
    callMilliseconds: milliseconds('SOUK_AWS_TIMEOUT_SECONDS', defaultDeadlines.callMilliseconds, 60),
    requestMilliseconds: readInteger(env, 'SOUK_S3_REQUEST_TIMEOUT_MILLISECONDS', {
      defaultValue: defaultDeadlines.requestMilliseconds,
      min: 100,
      max: 60_000,
    }),
    transferMilliseconds: milliseconds('SOUK_S3_TRANSFER_TIMEOUT_SECONDS', defaultDeadlines.transferMilliseconds, 3600),
  }
}

function readWindow(env: Environment) {
  const { window } = defaultPolicy
  const days = (name: Variable, defaultValue: number) => readInteger(env, name, { ...DAYS, defaultValue })
  const opensAfterDays = days('SOUK_SOLICITATION_OPENS_AFTER_DAYS', window.opensAfterDays)
  const closesAfterDays = days('SOUK_SOLICITATION_CLOSES_AFTER_DAYS', window.closesAfterDays)
  if (opensAfterDays <= closesAfterDays) return { opensAfterDays, closesAfterDays }
  throw new ConfigError('SOUK_SOLICITATION_OPENS_AFTER_DAYS must not be more than SOUK_SOLICITATION_CLOSES_AFTER_DAYS.')
}

function readSigning(env: Environment): SigningConfig {
  return {
    required:
      parseChoice(readOptional(env, 'SOUK_SIGNING', 'ignored'), 'SOUK_SIGNING', ['ignored', 'required']) === 'required',
    masterSecret: readSecret(env, 'SOUK_SIGNING_SECRET'),
    fallbackSecrets: readFallbacks(env, 'SOUK_SIGNING_SECRET'),
  }
}

function readSecret(env: Environment, name: Variable): string {
  const value = requireVariable(env, name)
  if (value.length >= MIN_SECRET_LENGTH) return value
  throw new ConfigError(`${name} must have at least ${MIN_SECRET_LENGTH} characters.`)
}

/** Secrets that are accepted beside the one of the variable, separated by commas. */
function readFallbacks(env: Environment, variable: 'SOUK_OPERATOR_KEY' | 'SOUK_SIGNING_SECRET'): string[] {
  const name = `${variable}_FALLBACKS` as const
  const text = env[name]
  if (!text) return []
  const secrets = text.split(',').map((one) => one.trim())
  if (secrets.length > MAX_FALLBACKS) {
    throw new ConfigError(`${name} must not have more than ${MAX_FALLBACKS} secrets, separated by commas.`)
  }
  if (secrets.some((one) => one.length < MIN_SECRET_LENGTH)) {
    throw new ConfigError(`Each secret of ${name} must have at least ${MIN_SECRET_LENGTH} characters.`)
  }
  if (new Set([...secrets, env[variable]]).size <= secrets.length) {
    throw new ConfigError(`The secrets of ${name} must differ from each other and from ${variable}.`)
  }
  return secrets
}
