// Measures the service against the bare parts it is made of and fails when a wanted figure is missed.
// `npm run bench` runs every group but growth; `npm run bench -- start` only the groups that are named. `--json` prints
// the figures for programs instead of a table for people.
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { measureCapacity } from './capacity.ts'
import { measureConsole } from './console.ts'
import { measureControl } from './control.ts'
import { measureFeeds } from './feeds.ts'
import { measureGrowth } from './growth.ts'
import { measureLife } from './life.ts'
import { measureListings } from './listings.ts'
import { measureNotifications } from './notifications.ts'
import { measureOrders } from './orders.ts'
import { measurePostgres } from './postgres.ts'
import { measurePostgresFeeds } from './postgres-feeds.ts'
import { measurePricing } from './pricing.ts'
import { measureProcesses } from './processes.ts'
import { measureRelayWorkers } from './relay.ts'
import { measureReports } from './reports.ts'
import { measureRequests } from './requests.ts'
import { measureSolicitations } from './solicitations.ts'
import { measureStart } from './start.ts'
import { logProgress } from './support/progress.ts'
import { type Figure, formatTable } from './support/table.ts'
import { measureTokens } from './tokens.ts'

const MAX_BUILD_MILLISECONDS = 2 * 60 * 1000
const MAX_GROUP_MILLISECONDS = 15 * 60 * 1000
// Storing ten million rows takes minutes.
const MAX_GROWTH_MILLISECONDS = 60 * 60 * 1000
const GROWTH = 'growth'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sizes: { type: 'string', default: '10000,100000' },
    databases: { type: 'string', default: 'sqlite,postgres' },
    json: { type: 'boolean', default: false },
  },
})

const groups: Record<string, () => Promise<Figure[]>> = {
  solicitations: measureSolicitations,
  orders: measureOrders,
  listings: measureListings,
  pricing: measurePricing,
  reports: measureReports,
  feeds: measureFeeds,
  notifications: measureNotifications,
  relay: () => measureRelayWorkers(),
  control: measureControl,
  console: measureConsole,
  life: measureLife,
  requests: measureRequests,
  tokens: measureTokens,
  start: measureStart,
  postgres: measurePostgres,
  'postgres-feeds': measurePostgresFeeds,
  processes: measureProcesses,
  capacity: measureCapacity,
  [GROWTH]: () =>
    measureGrowth({
      sizes: values.sizes.split(',').map(Number) as [number, number],
      databases: values.databases.split(','),
    }),
}
const names = readNames(positionals)

// Leaving by process.exit runs the exit hooks that end the child processes and remove the temporary folders.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
build()
const figures: Figure[] = []
for (const name of names) {
  logProgress(`\n${name}`)
  const giveUp = setTimeout(
    () => {
      logProgress(`The group ${name} takes too long and was given up`)
      process.exit(1)
    },
    name === GROWTH ? MAX_GROWTH_MILLISECONDS : MAX_GROUP_MILLISECONDS,
  )
  figures.push(...((await groups[name]?.()) ?? []))
  clearTimeout(giveUp)
}
console.log(values.json ? JSON.stringify(figures, undefined, 2) : `\n${formatTable(figures)}`)
if (figures.some((figure) => !figure.ok)) process.exitCode = 1

function readNames(given: string[]): string[] {
  const unknown = given.find((name) => !Object.hasOwn(groups, name))
  if (unknown !== undefined) {
    logProgress(`There is no group ${unknown}: choose from ${Object.keys(groups).join(', ')}`)
    process.exit(2)
  }
  return given.length > 0 ? given : Object.keys(groups).filter((name) => name !== GROWTH)
}

/** The benches measure the built service, so the build must match the current source. */
function build(): void {
  logProgress('Building')
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], {
    cwd: new URL('..', import.meta.url),
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
    timeout: MAX_BUILD_MILLISECONDS,
  })
  if (status === 0) return
  logProgress('The build failed')
  process.exit(1)
}
