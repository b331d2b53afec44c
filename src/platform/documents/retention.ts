import type { Sweep } from '../sweeps.ts'
import type { FileDocumentStore } from './file-document-store.ts'

const ABANDONED_UPLOAD_AGE_MILLISECONDS = 24 * 60 * 60 * 1000

/** Deletes the temporary files of uploads that were interrupted. They are not counted. */
export const createAbandonedUploadSweep = (store: Pick<FileDocumentStore, 'sweepAbandoned'>): Sweep => ({
  name: 'abandoned uploads',
  async sweep() {
    await store.sweepAbandoned(new Date(Date.now() - ABANDONED_UPLOAD_AGE_MILLISECONDS))
    return 0
  },
})
