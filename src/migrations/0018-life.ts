import type { Migration } from '../platform/database/migrate.ts'

/** What buyers, sellers and carriers of the living market will do. Only `souk dev` has rows in it. */
export const life: Migration = {
  name: '0018-life',
  statements: (dialect) => [
    `create table life_plans (
      due_at text not null,
      plan_id text not null,
      act text not null,
      seller_id text not null,
      subject text not null,
      primary key (due_at, plan_id)
    ) ${dialect === 'sqlite' ? 'without rowid' : ''}`,
  ],
}
