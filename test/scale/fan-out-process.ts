// A relay without queues: turns events into deliveries until none are left. Arguments: the kind and the URL or path of
// a database. Reports its idle and peak memory in megabytes, and its transactions.
import { createFanOut } from '../../src/areas/notifications/fan-out/fan-out.ts'
import { openDatabase } from '../../src/composition/adapters.ts'
import { SystemClock } from '../../src/platform/clock/system-clock.ts'
import { RandomIds } from '../../src/platform/ids/random-ids.ts'
import { createLogger } from '../../src/platform/logging/logger.ts'
import { expanders } from '../support/relay.ts'
import { watchLiveMemory } from './memory.ts'
import { watchTransactions } from './watched-transactions.ts'

const [kind, location = ''] = process.argv.slice(2)
const database = await openDatabase(
  kind === 'postgres' ? { kind: 'postgres', url: location, poolSize: 4 } : { kind: 'sqlite', path: location },
)
const logger = await createLogger({ level: 'warn', pretty: false })
const watched = watchTransactions(database)
const dependencies = {
  database: watched.database,
  clock: new SystemClock(),
  ids: new RandomIds(),
  logger,
  leaseSeconds: 1,
  expanders,
}

const stop = watchLiveMemory()
process.send?.('started')
const fanOut = createFanOut(dependencies)
// Less than a second means that another relay holds the lease.
while ((await fanOut(new AbortController().signal, async () => {})) < 1_000) {
  await new Promise((resolve) => setTimeout(resolve, 20))
}
const memory = stop()
process.send?.({ ...memory, ...watched.figures() })
await database.close()
process.disconnect?.()
