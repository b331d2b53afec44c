import type { Migration } from '../platform/database/migrate.ts'

/** Failed sign-ins are counted from the first one on. */
export const signInFailures: Migration = {
  name: '0027-sign-in-failures',
  // Null in rows of processes of the previous version.
  statements: () => ['alter table console_sign_in_failures add column counted_since text'],
}
