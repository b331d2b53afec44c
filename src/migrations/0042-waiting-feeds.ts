import type { Migration } from '../platform/database/migrate.ts'

/** How long the oldest feed of all sellers has waited for its turn. */
export const waitingFeeds: Migration = {
  name: '0042-waiting-feeds',
  indexes: [
    {
      name: 'feeds_waiting',
      on: `feeds (created_at) where status in ('IN_QUEUE', 'IN_PROGRESS') and has_turn = 0`,
    },
  ],
}
