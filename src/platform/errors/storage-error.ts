import { afterDoing, type Explain } from './explanation.ts'

/** Errors of signed URLs have the codes and the XML body of S3, because clients treat both alike. */
export const storageErrorStatus = {
  BadDigest: 400,
  EntityTooLarge: 400,
  IncompleteBody: 400,
  InvalidDigest: 400,
  InvalidRequest: 400,
  RequestTimeout: 400,
  AccessDenied: 403,
  SignatureDoesNotMatch: 403,
  NoSuchBucket: 404,
  NoSuchKey: 404,
  InvalidRange: 416,
  InternalError: 500,
  ServiceUnavailable: 503,
  // Only where a fault rule of the stand-in says so.
  SlowDown: 503,
} as const

export type StorageErrorCode = keyof typeof storageErrorStatus

export class StorageError extends Error {
  readonly code: StorageErrorCode
  readonly explain: Explain | undefined

  constructor(
    code: StorageErrorCode,
    message: string,
    { explain, ...options }: ErrorOptions & { explain?: Explain } = {},
  ) {
    super(message, options)
    this.name = 'StorageError'
    this.code = code
    this.explain = explain
  }

  get status(): number {
    return storageErrorStatus[this.code]
  }
}

/** Where documents are uploaded or were, and nothing is. */
export const noSuchKey = (key: string) =>
  new StorageError('NoSuchKey', 'The document was not found.', {
    explain: afterDoing(
      'Upload the document to its URL, or request a new report: documents are deleted after their time.',
      {
        key,
      },
    ),
  })
