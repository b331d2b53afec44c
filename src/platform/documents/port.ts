import type { Readable } from 'node:stream'

/** How long the addresses that a store hands out work. */
export const URL_LIFETIME_SECONDS = 300

/** Bytes from `first` to `last`, both included, counted from 0. */
export interface ByteRange {
  first: number
  last: number
}

export interface DocumentHead {
  /** Of the whole document, also where a part of it was asked for. */
  bytes: number
  modifiedAt: Date
}

export interface StoredDocument extends DocumentHead {
  /** The document, or the part of it that was asked for. */
  content: Readable
}

/** The document is not the one whose version was asked for. */
export class DocumentReplacedError extends Error {
  constructor() {
    super('The document has been replaced by another one')
    this.name = 'DocumentReplacedError'
  }
}

/** How a download is to be labelled. The labels are part of the signed address, so the store keeps none of them. */
export interface DownloadHeaders {
  contentType: string
  contentEncoding?: 'gzip'
}

/** What an upload must declare. Another content than that of the MD5 hash is refused. */
export interface UploadHeaders {
  /** Default: any. */
  contentType?: string
  /** Base64. Default: any. */
  contentMd5?: string
}

/**
 * Stores documents: reports that sellers download and feeds that they upload. A key consists of segments of letters,
 * digits, `.`, `-` and `_`, joined by slashes; other keys are rejected. Documents are streamed. Throws an
 * UnavailableError if the store is unreachable or does not respond in time, also while content is read.
 */
export interface DocumentStore {
  /**
   * Stores the content of the source atomically and durably, and replaces an existing document. The signal aborts it.
   */
  put(key: string, source: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<{ bytes: number }>
  /**
   * The caller must read the content to its end or destroy it. A range may end beyond the document; a range that starts
   * beyond it is a RangeError. With a version, any other content is a DocumentReplacedError.
   */
  get(key: string, range?: ByteRange, version?: string): Promise<StoredDocument | undefined>
  head(key: string): Promise<DocumentHead | undefined>
  /** Identifies the content: a new document with the same key has another version. For requests, which wait for it. */
  version(key: string): Promise<string | undefined>
  /** Does nothing if the document does not exist. */
  delete(key: string): Promise<void>
  /** Returns a signed URL to download the document. */
  presignGet(key: string, labels: DownloadHeaders): Promise<string>
  /** Returns a signed URL to upload the document with exactly these headers. */
  presignPut(key: string, headers: UploadHeaders): Promise<string>
  /** Closes connections. */
  close?(): void
}
