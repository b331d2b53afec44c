import type pg from 'pg'
import { waitFor } from './wait-for.ts'

const BLOCKED = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

/** Waits until connections to the client's database wait for a lock. Default: one. */
export const waitForBlocked = (client: pg.Client, isEnough: (count: number) => boolean = (count) => count === 1) =>
  waitFor(async () => (await client.query(BLOCKED)).rowCount ?? 0, isEnough)
