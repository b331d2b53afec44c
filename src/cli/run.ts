import type { Command } from 'commander'
import { SeedError } from '../dev/seed/problems.ts'
import type { Rates } from '../platform/throttle/limits.ts'
import type { Souk } from '../public-types.ts'
import { requireCommand } from './command-arguments.ts'
import { type DataFolder, explainDataError, prepareDataFolder } from './data-folder.ts'
import { integer, rates } from './parse-options.ts'
import { runCommand } from './run-command.ts'
import { withEnvironment } from './run-environment.ts'
import { explainListenError, UserError } from './user-error.ts'

interface RunOptions {
  port: number
  queuePort: number
  data: string | undefined
  fresh: boolean
  rates: Rates
  delay: number
  seedFile?: string
}

const HOST = '127.0.0.1'

export function addRunCommand(program: Command): void {
  program
    .command('run')
    .description("Start a local marketplace, run a command whose requests to the vendor's hosts arrive there, and stop")
    .usage('[options] -- <command> [arguments...]')
    .argument('[command...]', 'the command and its arguments, after --')
    .option('--port <number>', 'port to listen on; 0 chooses a free one', integer('--port', { min: 0, max: 65535 }), 0)
    .option(
      '--queue-port <number>',
      'port of the local queue; 0 chooses a free one',
      integer('--queue-port', { min: 0, max: 65535 }),
      0,
    )
    .option('--data <folder>', 'data folder (default: in memory)')
    .option('--fresh', 'start with new data and delete the old', false)
    .option('--rates <rates>', 'quotas: documented, off, or a multiplier', rates, 'documented')
    .option(
      '--delay <milliseconds>',
      'minimum time a job spends in each state',
      integer('--delay', { min: 0, max: 3_600_000 }),
      0,
    )
    .option('--seed-file <file>', 'a marketplace in YAML or JSON, instead of the demo marketplace')
    // Options of a command without -- before it are reported with that reason.
    .allowUnknownOption()
    .action(async (words: string[], options: RunOptions, self: Command) => {
      const command = requireCommand(words, process.argv, self)
      process.exitCode = await startAndRun(command, options)
    })
}

async function startAndRun(command: [string, ...string[]], options: RunOptions): Promise<number> {
  const souk = await start(options)
  return withEnvironment(souk, (environment) => {
    // Requests to the vendor's hosts arrive at this marketplace, so the fixtures for pytest must not act on a fork of it.
    const env = { ...environment, SOUK_FORK: environment.SOUK_FORK || '0' }
    console.error(`souk run: Souk is at ${souk.url}, its queue at ${souk.queueUrl}`)
    return runCommand(command, env)
  })
}

async function start({ port, queuePort, data, ...options }: RunOptions): Promise<Souk> {
  const folder: DataFolder | undefined = data === undefined ? undefined : prepareDataFolder(data)
  const { QueuePortError } = await import('../dev/queue-port-error.ts')
  const { startStandIn } = await import('../stand-in/stand-in.ts')
  return startStandIn({
    host: HOST,
    port,
    queuePort,
    rates: options.rates,
    delay: options.delay,
    fresh: options.fresh,
    ...(options.seedFile !== undefined && { seed: options.seedFile }),
    // Only programs on this machine reach the proxy, which can connect to any host without it.
    proxyThrough: 'any',
    ...(folder && {
      database: folder.database,
      documents: folder.documents,
      eventBus: folder.eventBus,
      certificates: folder.certificates,
    }),
  }).catch((error: unknown) => {
    if (error instanceof QueuePortError) throw explainListenError(error.cause, HOST, queuePort, 'with --queue-port')
    const explained = explainListenError(error, HOST, port, 'with --port')
    if (explained instanceof SeedError) throw new UserError(explained.message)
    throw folder ? explainDataError(explained, folder) : explained
  })
}
