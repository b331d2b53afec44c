import type { Migration } from '../platform/database/migrate.ts'

/** Removes what nothing reads, and notes of a feed which document it was made of. */
export const submittedDocuments: Migration = {
  name: '0011-submitted-documents',
  statements() {
    return [
      // A row for each patch, which nothing ever read.
      'drop table listing_submissions',
      // Noted when the feed is made. The digest was noted when its processing began, which was too late.
      'alter table feeds add column input_version text',
      'alter table feeds drop column input_digest',
    ]
  },
}
