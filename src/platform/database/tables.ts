export interface MigrationTables {
  migrations: {
    name: string
    applied_at: string
  }
}
