import type { Command } from 'commander'
import { MAX_LOGGED_REQUESTS, parseAddress, parseChoice, parseOrigin } from '../config/config.ts'
import { readReadings } from '../config/env.ts'
import { listUnreadVariables } from '../config/ignored-variables.ts'
import type { Life } from '../dev/life/public.ts'
import type { Readings } from '../platform/readings.ts'
import type { Rates } from '../platform/throttle/limits.ts'
import { printBanner } from './banner.ts'
import { createProgressView } from './ctl/progress-view.ts'
import { explainDataError, prepareDataFolder } from './data-folder.ts'
import { address, integer, proxiedHosts, rates, reading } from './parse-options.ts'
import { type Running, runUntilSignal } from './run-until-signal.ts'
import { standardError } from './standard-error.ts'
import { explainListenError } from './user-error.ts'

interface DevOptions {
  port: number
  queuePort: number | 'next'
  host: string
  controlHost?: string
  data: string
  tls: boolean
  tlsPort: number
  proxyThrough: boolean | readonly string[]
  fresh: boolean
  rates: Rates
  delay: number
  life?: number
  seedFile?: string
  reading?: Partial<Readings>
  requestLog: number
  quiet: boolean
}

const READ_VARIABLES = ['SOUK_SIGNING', 'SOUK_PUBLIC_URL', 'SOUK_SQS_ENDPOINT', 'SOUK_CONTROL_HOST', 'SOUK_READINGS']
/** Characters or rows of a seed. Less takes no time that a user would notice. */
const MIN_SHOWN_TOTAL = 10_000
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000

export function addDevCommand(program: Command): void {
  program
    .command('dev')
    .description('Start a local marketplace with demo data')
    .option('--port <number>', 'port to listen on', integer('--port', { min: 0, max: 65535 }), 4700)
    .option(
      '--queue-port <number>',
      'port of the local queue (default: --port + 1)',
      integer<number | 'next'>('--queue-port', { min: 0, max: 65535 }),
      'next',
    )
    .option('--host <address>', 'local address to listen on', '127.0.0.1')
    .option(
      '--control-host <address>',
      'local address on which the control plane is served besides loopback; 0.0.0.0 for all',
      address('--control-host'),
    )
    .option('--data <folder>', 'data folder', '.souk')
    .option('--tls', "listen with TLS too, with certificates for the vendor's hosts", false)
    .option('--tls-port <number>', 'port for TLS', integer('--tls-port', { min: 0, max: 65535 }), 4443)
    .option(
      '--proxy-through [hosts]',
      'let the proxy pass requests to other hosts: all, or those listed',
      proxiedHosts,
      false,
    )
    .option('--fresh', 'start with new data and delete the old', false)
    .option('--rates <rates>', 'quotas: documented, off, or a multiplier', rates, 'documented')
    .option(
      '--delay <milliseconds>',
      'minimum time a job spends in each state',
      integer('--delay', { min: 0, max: 3_600_000 }),
      300,
    )
    .option(
      '--reading <name=value>',
      'how to read the specification where it contradicts itself; can be repeated',
      reading,
    )
    .option(
      '--life <number>',
      'orders per day of a living market, which keeps running; 0 stops it',
      integer('--life', { min: 0, max: 100_000 }),
    )
    .option(
      '--request-log <number>',
      'how many of the last requests to keep; 0 for none',
      integer('--request-log', { min: 0, max: MAX_LOGGED_REQUESTS }),
      1000,
    )
    .option('--seed-file <file>', 'a marketplace in YAML or JSON, instead of the demo marketplace')
    .option('--quiet', 'print the address, warnings and errors only', false)
    .action((options: DevOptions) => runUntilSignal(() => startDev(options)))
}

async function startDev(options: DevOptions): Promise<Running> {
  const unread = listUnreadVariables(process.env, READ_VARIABLES)
  if (unread.length > 0) {
    console.error(`souk dev ignores ${unread.join(', ')}: it reads ${READ_VARIABLES.join(', ')} and takes options.`)
  }
  const signing = parseChoice(process.env.SOUK_SIGNING || 'ignored', 'SOUK_SIGNING', ['ignored', 'required'])
  const publicUrl = process.env.SOUK_PUBLIC_URL
  const controlHost = options.controlHost ?? process.env.SOUK_CONTROL_HOST
  const sqsEndpoint = process.env.SOUK_SQS_ENDPOINT
  const folder = prepareDataFolder(options.data)
  const { database, documents, snapshots, eventBus, certificates } = folder
  // A free port for the server means a free port for the queue.
  const next = options.port === 0 ? 0 : (options.port % 65535) + 1
  const queuePort = options.queuePort === 'next' ? next : options.queuePort
  const { startStandIn, QueuePortError, TlsPortError } = await import('../stand-in/stand-in.ts')
  const progress = createProgressView(standardError)
  let isStarting = true
  const souk = await startStandIn({
    port: options.port,
    host: options.host,
    ...(controlHost && { controlHost: parseAddress(controlHost, 'SOUK_CONTROL_HOST') }),
    ...(publicUrl && { publicUrl: parseOrigin(publicUrl, 'SOUK_PUBLIC_URL') }),
    database,
    documents,
    snapshots,
    queuePort,
    eventBus,
    tls: options.tls,
    tlsPort: options.tlsPort,
    certificates,
    proxyThrough: options.proxyThrough,
    fresh: options.fresh,
    ...(options.seedFile !== undefined && { seed: options.seedFile }),
    onSeedProgress(state) {
      // A reset loads the seed again.
      if (isStarting && !options.quiet && (state.total ?? 0) >= MIN_SHOWN_TOTAL) progress.show('progress', { ...state })
    },
    ...(sqsEndpoint && { messaging: { sqs: { endpoint: parseOrigin(sqsEndpoint, 'SOUK_SQS_ENDPOINT') } } }),
    rates: options.rates,
    readings: { ...readReadings(process.env), ...options.reading },
    delay: options.delay,
    requestLog: options.requestLog,
    log: { level: options.quiet ? 'error' : 'info', pretty: process.stdout.isTTY === true },
    signing: { required: signing === 'required' },
  })
    .catch((error: unknown) => {
      if (error instanceof QueuePortError) {
        throw explainListenError(error.cause, options.host, queuePort, 'for the local queue with --queue-port')
      }
      if (error instanceof TlsPortError) {
        throw explainListenError(error.cause, options.host, options.tlsPort, 'for TLS with --tls-port')
      }
      throw explainDataError(explainListenError(error, options.host, options.port, 'with --port'), folder)
    })
    .finally(() => {
      isStarting = false
      progress.end()
    })
  if (options.life !== undefined) await setLife(souk.life, options.life)
  const demoAgeMilliseconds = souk.clock.now().getTime() - (souk.demoLoadedAt?.getTime() ?? 0)
  printBanner(souk, {
    quiet: options.quiet,
    dataFolder: options.data,
    eventBus,
    seedFile: options.seedFile,
    host: options.host,
    controlHost,
    demoAgeDays: Math.floor(demoAgeMilliseconds / DAY_MILLISECONDS),
  })
  return { stop: () => souk.stop() }
}

/** A life that is running at this rate goes on. */
async function setLife(life: Life, ordersPerDay: number): Promise<void> {
  const { isRunning, options } = await life.status()
  if (isRunning && options?.ordersPerDay === ordersPerDay) return
  if (isRunning) await life.stop()
  if (ordersPerDay > 0) await life.start({ ordersPerDay })
}
