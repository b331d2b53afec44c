import { createDocumentSweep } from '../../document-requests/document-sweep.ts'
import { daysBefore } from '../../document-requests/status.ts'
import type { DocumentStore } from '../../platform/documents/port.ts'
import { deleteUploads, findOldUploads, type UploadKey } from './store.ts'
import { UPLOAD_DAYS, uploadKey } from './upload.ts'

export const createUploadSweep = (documents: DocumentStore) =>
  createDocumentSweep<UploadKey>(documents, {
    name: 'old uploads',
    expiryOf: (now) => daysBefore(now, UPLOAD_DAYS),
    find: findOldUploads,
    documentKeysOf: ({ uploadDestinationId }) => [uploadKey(uploadDestinationId)],
    delete: deleteUploads,
  })
