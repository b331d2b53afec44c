// A relay without destinations on one database, in its own process: turns the oldest events of a backlog into
// deliveries, and reports what one took.
import { sql } from 'kysely'
import { createFanOut } from '../../src/areas/notifications/fan-out/fan-out.ts'
import { openDatabase } from '../../src/composition/adapters.ts'
import { SystemClock } from '../../src/platform/clock/system-clock.ts'
import { prepare, queryBuilder } from '../../src/platform/database/query.ts'
import { RandomIds } from '../../src/platform/ids/random-ids.ts'
import { createLogger } from '../../src/platform/logging/logger.ts'
import { parseDatabase } from '../../src/stand-in/open-locked.ts'
import { openCpuClock } from './service-cpu-time.ts'

const db = queryBuilder<Record<never, never>>()

// There are few but those that this process writes. PostgreSQL has them in bundles.
const stored = prepare((_: object) =>
  db.selectNoFrom(
    sql<number>`cast((select count(*) from deliveries) + (select coalesce(sum(size), 0) from delivery_bundles) as bigint)`.as(
      'count',
    ),
  ),
)

export type BacklogQuestion = { do: 'round' } | { do: 'stop' }

if (process.send) {
  const answer = relay(process.argv[2] ?? '')
  process.on('message', async (question: BacklogQuestion) => process.send?.(await (await answer)(question)))
}

async function relay(location: string) {
  const database = await openDatabase(parseDatabase(location))
  const cpu = await openCpuClock(location)
  const fanOut = createFanOut({
    database,
    clock: new SystemClock(),
    ids: new RandomIds(),
    logger: await createLogger({ level: 'warn', pretty: false }),
    leaseSeconds: 10,
    expanders: {},
  })
  const countDeliveries = () => database.read(async (reader) => (await reader.first(stored, {}))?.count ?? 0)
  return async (question: BacklogQuestion): Promise<number> => {
    if (question.do === 'stop') {
      await database.close()
      return 0
    }
    const written = await countDeliveries()
    const began = await cpu()
    const oneRound = new AbortController()
    await fanOut(oneRound.signal, async () => oneRound.abort())
    const used = (await cpu()) - began
    const fannedOut = (await countDeliveries()) - written
    if (fannedOut === 0) throw new Error('No event was fanned out')
    return (used / fannedOut) * 1000
  }
}
