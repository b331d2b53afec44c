import { migrations } from '../migrations/index.ts'
import type { Clock } from '../platform/clock/port.ts'
import { migrate } from '../platform/database/migrate.ts'
import type { Database } from '../platform/database/port.ts'

/** The name of the newest migration, as the version of the schema. */
export const lastMigration = (): string => migrations.at(-1)?.name ?? ''

export function migrateDatabase(database: Database, clock: Clock): Promise<string[]> {
  return migrate(database, migrations, clock)
}
