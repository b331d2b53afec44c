import type { Migration } from '../platform/database/migrate.ts'

/** The migration that a process must know to run after this one. Null if this one only adds. */
export const requiredMigrations: Migration = {
  name: '0038-required-migrations',
  statements: () => ['alter table migrations add column required_migration text'],
}
