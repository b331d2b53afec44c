import type { Migration } from '../platform/database/migrate.ts'

/**
 * Notes of a feed which document it was made of.
 *
 * Two things are unused from here on and stay for one release: processes of the version before write them, and may run
 * beside newer ones during a deploy. Drop in the next release:
 * - the table `listing_submissions`, a row for each patch, which nothing ever read;
 * - the column `feeds.input_digest`, noted when the processing of a feed began, which was too late.
 */
export const submittedDocuments: Migration = {
  name: '0011-submitted-documents',
  statements() {
    return ['alter table feeds add column input_version text']
  },
}
