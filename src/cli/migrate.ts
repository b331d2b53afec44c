import type { Command } from 'commander'
import { rethrowWithDatabaseSetting } from './user-error.ts'

export function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('Migrate the database to this version')
    .action(() => runMigrate().catch(rethrowWithDatabaseSetting))
}

async function runMigrate(): Promise<void> {
  const { readDatabaseConfig } = await import('../config/env.ts')
  const config = readDatabaseConfig(process.env)
  const { openDatabase } = await import('../composition/adapters.ts')
  const { migrateDatabase } = await import('../composition/migrations.ts')
  const { SystemClock } = await import('../platform/clock/system-clock.ts')
  const database = await openDatabase({ ...config, applicationName: 'souk-migrate' })
  try {
    const ran = await migrateDatabase(database, new SystemClock())
    console.log(ran.length === 0 ? 'The database is up to date.' : `Migrated: ${ran.join(', ')}.`)
  } finally {
    await database.close()
  }
}
