import type { Migration } from '../platform/database/migrate.ts'

/**
 * Records the document of each feed.
 *
 * Two objects are no longer used and stay for one release, because processes of the previous version write them and may
 * run next to newer ones during a deployment. Drop in the next release:
 * - the table `listing_submissions`, one row per patch, never read;
 * - the column `feeds.input_digest`, written when processing started, which was too late.
 */
export const submittedDocuments: Migration = {
  name: '0011-submitted-documents',
  statements() {
    return ['alter table feeds add column input_version text']
  },
}
