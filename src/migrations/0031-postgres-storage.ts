import type { Migration } from '../platform/database/migrate.ts'

/** Rows of these are updated often, in columns without an index. The new version fits on the page of the old one. */
const UPDATED_IN_PLACE = ['offers', 'price_histories', 'feeds', 'usage_counts']

/**
 * Rows of these live for seconds. By default, they are vacuumed when a fifth of the table is dead, however large it has
 * grown.
 */
const QUEUES = ['events', 'jobs', 'deliveries', 'fan_outs', 'market_summaries']
const VACUUM_OFTEN = [
  'autovacuum_vacuum_scale_factor = 0',
  'autovacuum_vacuum_threshold = 5000',
  'autovacuum_analyze_scale_factor = 0',
  'autovacuum_analyze_threshold = 20000',
  'autovacuum_vacuum_cost_delay = 0',
].join(', ')

/** Neither setting blocks readers or writers, nor rewrites the table. */
export const postgresStorage: Migration = {
  name: '0031-postgres-storage',
  statements: (dialect) =>
    dialect === 'sqlite'
      ? []
      : [
          ...UPDATED_IN_PLACE.map((table) => `alter table ${table} set (fillfactor = 80)`),
          ...QUEUES.map((table) => `alter table ${table} set (${VACUUM_OFTEN})`),
          // Each change of a price leaves a dead row and a dead entry in each index.
          `alter table listings set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05)`,
        ],
}

/** The primary key has the same columns, and finds the SKUs of one of a seller's few marketplaces almost as fast. */
export const dropListingsBySku: Migration = {
  name: '0032-drop-listings-by-sku',
  statements: (dialect) => (dialect === 'sqlite' ? [] : ['drop index listings_by_sku']),
}
