export interface MigrationTables {
  migrations: {
    name: string
    applied_at: string
    required_migration: string | null
  }
}
