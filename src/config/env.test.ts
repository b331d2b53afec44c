import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { defaultDeadlines as deadlines } from '../platform/aws/deadlines.ts'
import { defaultPostgresDeadlines } from '../platform/database/postgres-deadlines.ts'
import { defaultReadings } from '../platform/readings.ts'
import { ConfigError } from './config.ts'
import { readListenConfig, readServiceConfig, readSilence, readWorkerListenConfig } from './env.ts'
import { listKubernetesLinks } from './ignored-variables.ts'

const complete = {
  SOUK_DATABASE_URL: 'postgres://souk@localhost/souk',
  SOUK_DOCUMENTS_URL: 'file:///var/souk/documents',
  SOUK_PUBLIC_URL: 'https://souk.example',
  SOUK_OPERATOR_KEY: 'sixteen-characters',
  SOUK_SIGNING_SECRET: 'sixteen-characters',
  PATH: '/usr/bin',
}

describe('the configuration of the service', () => {
  test('has a default for every variable', () => {
    expect(readServiceConfig(complete)).toEqual({
      database: {
        kind: 'postgres',
        url: 'postgres://souk@localhost/souk',
        poolSize: 10,
        deadlines: defaultPostgresDeadlines,
      },
      documents: { kind: 'file', folder: fileURLToPath('file:///var/souk/documents') },
      publicUrl: 'https://souk.example',
      operatorKey: 'sixteen-characters',
      operatorKeyFallbacks: [],
      rates: 'documented',
      quotas: { timeoutMilliseconds: 50, processes: 1 },
      docs: false,
      console: false,
      auditDays: 365,
      signing: { required: false, masterSecret: 'sixteen-characters', fallbackSecrets: [] },
      solicitations: { window: { opensAfterDays: 5, closesAfterDays: 30 } },
      readings: defaultReadings,
      worker: {
        concurrency: 4,
        leaseSeconds: 30,
        jobOutageHours: 24,
        maxPendingNotifications: 100_000,
        sentNotificationsKept: 0,
      },
      messaging: { sqs: { deadlines }, eventBridge: { busName: 'default', deadlines } },
      log: { level: 'info', pretty: false },
    })
    expect(readListenConfig(complete)).toEqual({
      host: '0.0.0.0',
      port: 4700,
      drainSeconds: 10,
      maxConnections: 10_000,
      trustedProxies: [],
    })
    expect(readWorkerListenConfig(complete)).toEqual({ host: '0.0.0.0', port: 4702 })
  })

  test('uses the variables that are set', () => {
    const config = readServiceConfig({
      ...complete,
      SOUK_RATES: '2.5',
      SOUK_DOCS: 'on',
      SOUK_CONSOLE: 'on',
      SOUK_SIGNING: 'required',
      SOUK_READINGS: 'repeatSolicitation=400, destinationPath=plural',
      SOUK_SOLICITATION_OPENS_AFTER_DAYS: '1',
      SOUK_SOLICITATION_CLOSES_AFTER_DAYS: '60',
      SOUK_LOG_LEVEL: 'warn',
      SOUK_DATABASE_POOL: '50',
      SOUK_DATABASE_REPLICA_URL: 'postgres://souk@replica/souk',
      SOUK_DATABASE_REPLICA_WAIT_MILLISECONDS: '20',
      SOUK_PUBLIC_URL: 'http://souk.example:8080/',
      SOUK_DOCUMENTS_URL: 's3://a-bucket/souk/documents/',
      SOUK_S3_ENDPOINT: 'http://127.0.0.1:9000',
      SOUK_S3_REGION: 'eu-west-1',
      SOUK_WORKER_CONCURRENCY: '64',
      SOUK_WORKER_LEASE_SECONDS: '7',
      SOUK_JOB_OUTAGE_HOURS: '48',
      SOUK_AUDIT_DAYS: '30',
      SOUK_NOTIFICATION_BACKLOG: '7',
      SOUK_SENT_NOTIFICATIONS: '20',
      SOUK_SQS_ENDPOINT: 'http://127.0.0.1:9324',
      SOUK_EVENTBRIDGE_ENDPOINT: 'https://events.example',
      SOUK_EVENTBRIDGE_BUS: 'souk',
      SOUK_AWS_CONNECT_TIMEOUT_SECONDS: '1',
      SOUK_AWS_TIMEOUT_SECONDS: '3',
      SOUK_S3_REQUEST_TIMEOUT_MILLISECONDS: '900',
      SOUK_S3_TRANSFER_TIMEOUT_SECONDS: '60',
    })
    const deadlines = {
      connectMilliseconds: 1000,
      callMilliseconds: 3000,
      requestMilliseconds: 900,
      transferMilliseconds: 60_000,
    }
    expect(config).toMatchObject({
      database: { poolSize: 50, replica: { url: 'postgres://souk@replica/souk', waitMilliseconds: 20 } },
      rates: 2.5,
      docs: true,
      console: true,
      auditDays: 30,
      signing: { required: true },
      solicitations: { window: { opensAfterDays: 1, closesAfterDays: 60 } },
      readings: { ...defaultReadings, repeatSolicitation: 400, destinationPath: 'plural' },
      publicUrl: 'http://souk.example:8080',
      documents: {
        kind: 's3',
        bucket: 'a-bucket',
        prefix: 'souk/documents',
        endpoint: 'http://127.0.0.1:9000',
        region: 'eu-west-1',
        deadlines,
      },
      worker: {
        concurrency: 64,
        leaseSeconds: 7,
        jobOutageHours: 48,
        maxPendingNotifications: 7,
        sentNotificationsKept: 20,
      },
      messaging: {
        sqs: { endpoint: 'http://127.0.0.1:9324', deadlines },
        eventBridge: { busName: 'souk', endpoint: 'https://events.example', deadlines },
      },
      log: { level: 'warn' },
    })
  })

  test('accepts additional keys and secrets for a rotation', () => {
    const config = readServiceConfig({
      ...complete,
      SOUK_OPERATOR_KEY_FALLBACKS: 'another-operator-key, a-third-operator-key',
      SOUK_SIGNING_SECRET_FALLBACKS: 'another-signing-secret',
    })
    expect(config.operatorKeyFallbacks).toEqual(['another-operator-key', 'a-third-operator-key'])
    expect(config.signing.fallbackSecrets).toEqual(['another-signing-secret'])
  })

  test('requires only a bucket to store documents in S3', () => {
    const { documents } = readServiceConfig({ ...complete, SOUK_DOCUMENTS_URL: 's3://a-bucket' })
    expect(documents).toEqual({ kind: 's3', bucket: 'a-bucket', prefix: '', deadlines })
  })

  test.each([
    ['SOUK_DATABASE_URL', undefined],
    ['SOUK_DATABASE_URL', 'mysql://localhost/souk'],
    ['SOUK_DATABASE_URL', 'postgres://host:port/x'],
    ['SOUK_DATABASE_POOL', '0'],
    ['SOUK_DATABASE_REPLICA_URL', 'mysql://localhost/souk'],
    ['SOUK_DATABASE_REPLICA_WAIT_MILLISECONDS', '5001'],
    ['SOUK_DOCS', 'true'],
    ['SOUK_PUBLIC_URL', undefined],
    ['SOUK_PUBLIC_URL', 'souk.example'],
    ['SOUK_PUBLIC_URL', 'ftp://souk.example'],
    ['SOUK_PUBLIC_URL', 'https://souk.example/path'],
    ['SOUK_PUBLIC_URL', 'https://souk.example/?a=1'],
    ['SOUK_PUBLIC_URL', 'https://user@souk.example'],
    ['SOUK_DOCUMENTS_URL', undefined],
    ['SOUK_DOCUMENTS_URL', '/var/souk'],
    ['SOUK_DOCUMENTS_URL', 'file://var/souk'],
    ['SOUK_DOCUMENTS_URL', 'file:///var/a%2Fb'],
    ['SOUK_DOCUMENTS_URL', 's3://'],
    ['SOUK_DOCUMENTS_URL', 's3://A_Bucket'],
    ['SOUK_DOCUMENTS_URL', 's3://a-bucket/../x'],
    ['SOUK_DOCUMENTS_URL', 'https://a-bucket.example'],
    ['SOUK_WORKER_CONCURRENCY', '0'],
    ['SOUK_WORKER_CONCURRENCY', '65'],
    ['SOUK_WORKER_LEASE_SECONDS', '2'],
    ['SOUK_WORKER_LEASE_SECONDS', '3601'],
    ['SOUK_JOB_OUTAGE_HOURS', '0'],
    ['SOUK_AUDIT_DAYS', '0'],
    ['SOUK_NOTIFICATION_BACKLOG', '0'],
    ['SOUK_SENT_NOTIFICATIONS', '1001'],
    ['SOUK_SQS_ENDPOINT', 'elasticmq:9324'],
    ['SOUK_EVENTBRIDGE_ENDPOINT', 'https://events.example/path'],
    ['SOUK_EVENTBRIDGE_BUS', 'a bus'],
    ['SOUK_AWS_CONNECT_TIMEOUT_SECONDS', '0'],
    ['SOUK_AWS_TIMEOUT_SECONDS', '61'],

    ['SOUK_OPERATOR_KEY', undefined],
    ['SOUK_OPERATOR_KEY', 'short'],
    ['SOUK_OPERATOR_KEY_FALLBACKS', 'short'],
    ['SOUK_OPERATOR_KEY_FALLBACKS', 'another-secret-key,'],
    ['SOUK_OPERATOR_KEY_FALLBACKS', 'sixteen-characters'],
    ['SOUK_SIGNING_SECRET_FALLBACKS', 'another-secret-key,another-secret-key'],
    ['SOUK_SIGNING_SECRET_FALLBACKS', Array.from({ length: 6 }, (_, index) => `another-secret-${index}`).join()],
    ['SOUK_SIGNING_SECRET', undefined],
    ['SOUK_SIGNING', 'yes'],
    ['SOUK_RATES', 'fast'],
    ['SOUK_RATES', '0'],
    ['SOUK_RATES', '-1'],
    ['SOUK_QUOTA_URL', 'http://valkey:6379'],
    ['SOUK_QUOTA_URL', 'redis://'],
    ['SOUK_QUOTA_URL', 'redis://valkey:port'],
    ['SOUK_QUOTA_URL', 'redis://valkey/quotas'],
    ['SOUK_QUOTA_PROCESSES', '0'],
    ['SOUK_QUOTA_TIMEOUT_MILLISECONDS', '5001'],
    ['SOUK_READINGS', 'repeatSolicitation=409'],
    ['SOUK_READINGS', 'repeatSolicitation=400,everything'],
    ['SOUK_SOLICITATION_OPENS_AFTER_DAYS', '31'],
    ['SOUK_SOLICITATION_CLOSES_AFTER_DAYS', '1.5'],
    ['SOUK_LOG_LEVEL', 'loud'],
    ['SOUK_TYPO', 'x'],
  ])('refuses %s=%s with a sentence that names the variable', (name, value) => {
    const read = () => readServiceConfig({ ...complete, [name]: value })
    expect(read).toThrow(ConfigError)
    expect(read).toThrow(name)
  })

  test.each([
    ['valkey://valkey:6379', 'redis://valkey:6379'],
    ['valkeys://user:password@valkey/2', 'rediss://user:password@valkey/2'],
    ['rediss://valkey/', 'rediss://valkey/'],
  ])('accepts SOUK_QUOTA_URL=%s', (value, url) => {
    expect(readServiceConfig({ ...complete, SOUK_QUOTA_URL: value }).quotas.url).toBe(url)
  })

  test('refuses a timeout of AWS during which the lease of a worker would end, and names both', () => {
    const read = (timeout: string) =>
      readServiceConfig({ ...complete, SOUK_AWS_TIMEOUT_SECONDS: timeout, SOUK_WORKER_LEASE_SECONDS: '10' })
    expect(read('4').worker.leaseSeconds).toBe(10)
    expect(() => read('5')).toThrow(ConfigError)
    expect(() => read('5')).toThrow(/SOUK_AWS_TIMEOUT_SECONDS .* SOUK_WORKER_LEASE_SECONDS/)
  })

  test('exports traces if there is a collector', () => {
    const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://collector:4318/'
    const OTEL_EXPORTER_OTLP_HEADERS = 'x-api-key=a%20key, X-Tenant=souk'
    const env = { ...complete, OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS, OTEL_TRACES_SAMPLER_ARG: '0.1' }
    expect(readServiceConfig(env).tracing).toEqual({
      url: 'http://collector:4318/v1/traces',
      headers: { 'x-api-key': 'a key', 'x-tenant': 'souk' },
      sampledRatio: 0.1,
    })
    expect(readServiceConfig({ ...env, OTEL_SDK_DISABLED: 'true' }).tracing).toBeUndefined()
  })

  test.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a key'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'key=%'],
    ['OTEL_TRACES_SAMPLER_ARG', 'half'],
  ])('refuses %s=%s', (name, value) => {
    const read = () =>
      readServiceConfig({ ...complete, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector', [name]: value })
    expect(read).toThrow(ConfigError)
    expect(read).toThrow(name)
  })

  test('refuses SOUK_QUOTA_URL without repeating its password', () => {
    const read = () => readServiceConfig({ ...complete, SOUK_QUOTA_URL: 'redis://:hunter2@valkey/quotas' })
    expect(read).toThrow(/^(?!.*hunter2)/)
  })

  test.each([
    ['SOUK_S3_ENDPOINT', 'minio:9000'],
    ['SOUK_S3_REGION', 'Europe, west'],
    ['SOUK_S3_REQUEST_TIMEOUT_MILLISECONDS', '99'],
    ['SOUK_S3_TRANSFER_TIMEOUT_SECONDS', '1.5'],
  ])('refuses %s=%s with documents in S3', (name, value) => {
    const read = () => readServiceConfig({ ...complete, SOUK_DOCUMENTS_URL: 's3://a-bucket', [name]: value })
    expect(read).toThrow(ConfigError)
    expect(read).toThrow(name)
  })

  test.each([
    ['SOUK_DRAIN_SECONDS', '-1'],
    ['SOUK_DRAIN_SECONDS', '3601'],
    ['SOUK_MAX_CONNECTIONS', '0'],
  ])('refuses %s=%s', (name, value) => {
    expect(() => readListenConfig({ [name]: value })).toThrow(name)
  })

  test('reads after how long a database that is silent is given up', () => {
    const name = 'SOUK_DATABASE_SILENCE_MILLISECONDS'
    expect(readSilence({})).toEqual({ silenceMilliseconds: 1500 })
    expect(readSilence({ [name]: '0' })).toEqual({ silenceMilliseconds: 0 })
    expect(readSilence({ [name]: '1000' })).toEqual({ silenceMilliseconds: 1000 })
    for (const value of ['1', '999', '60001', '-1']) {
      const message = `${name}, unless it is 0, must be an integer from 1000 to 60000, not "${value}".`
      expect(() => readSilence({ [name]: value })).toThrow(message)
    }
  })

  describe('next to a Kubernetes Service named souk', () => {
    const injected = {
      SOUK_PORT: 'tcp://10.0.0.1:4700',
      SOUK_SERVICE_HOST: '10.0.0.1',
      SOUK_SERVICE_PORT: '4700',
      SOUK_SERVICE_PORT_HTTP: '4700',
      SOUK_PORT_4700_TCP: 'tcp://10.0.0.1:4700',
      SOUK_PORT_4700_TCP_PROTO: 'tcp',
      SOUK_PORT_4700_TCP_PORT: '4700',
      SOUK_PORT_4700_TCP_ADDR: '10.0.0.1',
      SOUK_POSTGRES_SERVICE_HOST: '10.0.0.2',
      SOUK_POSTGRES_PORT: 'tcp://10.0.0.2:5432',
      SOUK_WORKER_PORT: 'tcp://10.0.0.3:4702',
    }

    test('is the same as without the variables that Kubernetes injects', () => {
      expect(readServiceConfig({ ...complete, ...injected })).toEqual(readServiceConfig(complete))
      expect(readListenConfig(injected)).toEqual(readListenConfig({}))
      expect(readWorkerListenConfig(injected)).toEqual(readWorkerListenConfig({}))
      expect(listKubernetesLinks({ ...complete, ...injected })).toEqual(Object.keys(injected).sort())
    })

    test('accepts a valid port, and refuses variables that only look injected', () => {
      expect(readListenConfig({ SOUK_PORT: '8080' }).port).toBe(8080)
      expect(listKubernetesLinks({ SOUK_PORT: '8080', SOUK_HOST: 'tcp://x' })).toEqual([])
      for (const name of ['SOUK_PORT_NUMBER', 'SOUK_SERVICE_NAME', 'SOUK_PORTS']) {
        expect(() => readServiceConfig({ ...complete, [name]: '1' })).toThrow(name)
      }
    })
  })

  test.each(['65536', '-1', 'http'])('refuses SOUK_PORT=%s', (port) => {
    expect(() => readListenConfig({ SOUK_PORT: port })).toThrow(/SOUK_PORT/)
  })
})
