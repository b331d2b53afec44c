import type { Config } from '../config/config.ts'
import { migrations } from '../migrations/index.ts'
import { SystemClock } from '../platform/clock/system-clock.ts'
import { requireMigrated } from '../platform/database/migrate.ts'
import { RandomIds } from '../platform/ids/random-ids.ts'
import { createLogger, flushLogger } from '../platform/logging/logger.ts'
import { openDatabase } from '../service.ts'

/** What `serve` and `worker` run on: a database that is up to date, real time and random ids. */
export async function openPlatform(config: Pick<Config, 'database' | 'log'>) {
  const logger = await createLogger(config.log)
  const database = await openDatabase(config.database)
  try {
    await requireMigrated(database, migrations)
  } catch (error) {
    await database.close()
    throw error
  }
  return {
    database,
    clock: new SystemClock(),
    ids: new RandomIds(),
    logger,
    async close() {
      await database.close()
      await flushLogger(logger)
    },
  }
}
