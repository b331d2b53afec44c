import type { Migration } from '../platform/database/migrate.ts'

/** Destinations of uploads for other operations. */
export const uploads: Migration = {
  name: '0015-uploads',
  statements(dialect) {
    const clustered = dialect === 'sqlite' ? 'without rowid' : ''
    return [
      `create table upload_destinations (
        seller_id text not null,
        upload_destination_id text not null,
        application_id text not null,
        marketplace_id text not null,
        resource text not null,
        content_type text,
        content_md5 text not null,
        created_at text not null,
        primary key (seller_id, upload_destination_id)
      ) ${clustered}`,
      'create index upload_destinations_by_time on upload_destinations (created_at, upload_destination_id)',
    ]
  },
}
