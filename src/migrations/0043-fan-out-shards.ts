import type { Migration } from '../platform/database/migrate.ts'

/** A relay finds the due fan-outs of its shards without reading those of the others. SQLite has one relay at a time. */
export const fanOutShards: Migration = {
  name: '0043-fan-out-shards',
  indexes: [
    {
      name: 'fan_outs_by_shard',
      on: 'fan_outs (state, substr(md5(seller_id), 1, 1), due_at, event_id)',
      dialect: 'postgres',
    },
  ],
}
