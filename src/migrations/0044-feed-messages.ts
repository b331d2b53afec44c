import type { Migration } from '../platform/database/migrate.ts'

/** How many messages the document of a feed has. Null until some are applied. */
export const feedMessages: Migration = {
  name: '0044-feed-messages',
  statements: () => ['alter table feeds add column messages integer'],
}
