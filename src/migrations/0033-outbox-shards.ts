import type { Migration } from '../platform/database/migrate.ts'

/** Workers claim the events of some sellers, by the first digit of a hash. SQLite has one relay at a time. */
export const outboxShards: Migration = {
  name: '0033-outbox-shards',
  indexes: [{ name: 'events_by_shard', on: 'events (substr(md5(seller_id), 1, 1), event_id)', dialect: 'postgres' }],
}

const VACUUM_OFTEN =
  'autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0'

/** How PostgreSQL stores the tables of background work. */
export const queueTables: Migration = {
  name: '0034-queue-tables',
  statements(dialect) {
    if (dialect === 'sqlite') return []
    // Where long payloads are. Their tables are vacuumed often already.
    const toast = VACUUM_OFTEN.replaceAll('autovacuum', 'toast.autovacuum')
    return [
      ...['events', 'deliveries', 'fan_outs'].map((table) => `alter table ${table} set (${toast})`),
      // The default takes several times as long to compress a payload. Not every server is built with this one.
      `do $$ begin
        if (select 'lz4' = any (enumvals) from pg_settings where name = 'default_toast_compression') then
          alter table deliveries alter column payload set compression lz4;
        end if;
      end $$`,
      // Few rows that are updated all the time: the new version fits on the page of the old one.
      `alter table delivery_turns set (fillfactor = 50, ${VACUUM_OFTEN})`,
      `alter table fan_out_leases set (fillfactor = 10, ${VACUUM_OFTEN})`,
      'alter table aggregation_windows set (fillfactor = 70)',
      'alter table jobs set (fillfactor = 70)',
    ]
  },
}
