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

/**
 * Where documents lie: reports that sellers fetch, feeds that they upload. A key is made of segments of letters, digits,
 * `.`, `-` and `_`, joined by slashes; any other is refused. Nothing is held in memory whole. A store that cannot be
 * reached, or does not answer in time, throws an UnavailableError; so does the content of a document that it stops
 * sending.
 */
export interface DocumentStore {
  /**
   * Stores what the source yields, whole and durably or not at all. What was there before is replaced. An abort of the
   * signal ends it early.
   */
  put(key: string, source: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<{ bytes: number }>
  /**
   * Whoever asks reads the content to its end or destroys it. A range may end beyond the document, but one that begins
   * there is a RangeError. With a version, any other content is a DocumentReplacedError.
   */
  get(key: string, range?: ByteRange, version?: string): Promise<StoredDocument | undefined>
  head(key: string): Promise<DocumentHead | undefined>
  /** Identifies the content: another document under the same key has another version. */
  version(key: string): Promise<string | undefined>
  /** Does nothing when there is no such document. */
  delete(key: string): Promise<void>
  /** An address from which anybody can fetch the document for a while. */
  presignGet(key: string, labels: DownloadHeaders): Promise<string>
  /** An address to which anybody can upload the document for a while, with exactly this content type. */
  presignPut(key: string, options: { contentType: string }): Promise<string>
  /** Lets go of connections, where the store has any. */
  close?(): void
}
