// A relay without queues: turns events into deliveries until none are left. Arguments: the kind and the URL or path of
// a database. Reports its idle and peak memory in megabytes.
import { existsSync, readFileSync } from 'node:fs'
import { setInterval } from 'node:timers'
import { createFanOut } from '../../src/areas/notifications/fan-out/fan-out.ts'
import { openDatabase } from '../../src/composition/adapters.ts'
import { SystemClock } from '../../src/platform/clock/system-clock.ts'
import { RandomIds } from '../../src/platform/ids/random-ids.ts'
import { createLogger } from '../../src/platform/logging/logger.ts'
import { expanders } from '../support/relay.ts'

const [kind, location = ''] = process.argv.slice(2)
const database = await openDatabase(
  kind === 'postgres' ? { kind: 'postgres', url: location, poolSize: 4 } : { kind: 'sqlite', path: location },
)
const logger = await createLogger({ level: 'warn', pretty: false })
const dependencies = {
  database,
  clock: new SystemClock(),
  ids: new RandomIds(),
  logger,
  leaseSeconds: 1,
  expanders,
}

/** Private memory if the system reports it, because resident memory includes the file that SQLite maps. */
function megabytes(): number {
  const status = '/proc/self/status'
  const [, kibibytes] = (existsSync(status) && /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(status, 'utf8'))) || []
  return kibibytes === undefined ? process.memoryUsage.rss() / 1024 ** 2 : Number(kibibytes) / 1024
}

const idle = megabytes()
let most = idle
const timer = setInterval(() => {
  most = Math.max(most, megabytes())
}, 10)
process.send?.('started')
const fanOut = createFanOut(dependencies)
// Less than a second means that another relay holds the lease.
while ((await fanOut(new AbortController().signal, async () => {})) < 1_000) {
  await new Promise((resolve) => setTimeout(resolve, 20))
}
clearInterval(timer)
process.send?.({ idle, most })
await database.close()
process.disconnect?.()
