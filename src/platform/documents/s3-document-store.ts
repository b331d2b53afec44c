import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { type AwsDeadlines, defaultDeadlines, withMinimumRate } from '../aws/deadlines.ts'
import { toUnavailableError } from '../aws/unavailable.ts'
import { withDeadline } from '../deadline.ts'
import { handlerSettings } from '../messaging/aws.ts'
import {
  type ByteRange,
  type DocumentHead,
  DocumentReplacedError,
  type DocumentStore,
  type DownloadHeaders,
  type StoredDocument,
  type UploadHeaders,
  URL_LIFETIME_SECONDS,
} from './port.ts'
import { requireDocumentKey } from './safe-path.ts'

export interface S3DocumentStoreOptions {
  bucket: string
  /** Key prefix, without a trailing slash. May be empty. */
  prefix: string
  /** Endpoint of an S3-compatible store other than AWS. */
  endpoint?: string
  /** Default: from the AWS settings of the process. */
  region?: string
  /** Whether the bucket is in the path instead of the host. */
  forcePathStyle: boolean
  deadlines?: AwsDeadlines
}

/** Documents in a bucket, with signed URLs that S3 serves. Load it only where it is used, because the client is large. */
export class S3DocumentStore implements DocumentStore {
  readonly #client: S3Client
  readonly #bucket: string
  readonly #prefix: string
  readonly #deadlines: AwsDeadlines

  constructor(options: S3DocumentStoreOptions) {
    const { bucket, prefix, endpoint, region, forcePathStyle, deadlines = defaultDeadlines } = options
    this.#bucket = bucket
    this.#prefix = prefix
    this.#deadlines = deadlines
    this.#client = new S3Client({
      ...(endpoint && { endpoint }),
      ...(region && { region }),
      forcePathStyle,
      requestHandler: handlerSettings(deadlines),
      // In a signed URL, a checksum would require headers that the client does not know.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    })
  }

  /** Whether a region is set, here or in the AWS settings of the process. */
  hasRegion(): Promise<boolean> {
    return this.#client.config.region().then(
      () => true,
      () => false,
    )
  }

  async put(key: string, source: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<{ bytes: number }> {
    let bytes = 0
    async function* counted() {
      for await (const chunk of source) {
        bytes += chunk.byteLength
        yield chunk
      }
    }
    // One part at a time, because parts are in memory, and so that a failing source is noticed before the next part.
    const upload = new Upload({
      client: this.#uploadClient(signal),
      params: { ...this.#location(key), Body: Readable.from(counted()) },
      queueSize: 1,
    })
    try {
      await upload.done()
    } catch (error) {
      throw toUnavailableError('S3', error)
    }
    return { bytes }
  }

  async get(key: string, range?: ByteRange, version?: string): Promise<StoredDocument | undefined> {
    const Range = range && `bytes=${range.first}-${range.last}`
    const command = new GetObjectCommand({ ...this.#location(key), Range, IfMatch: version })
    try {
      const found = await this.#call((abortSignal) => this.#client.send(command, { abortSignal }))
      const body = found.Body as Readable
      const content = Readable.from(this.#read(body), { objectMode: false })
      // Also if nothing was read.
      content.once('close', () => body.destroy())
      return { ...headOf(found), content }
    } catch (error) {
      if (isS3Error(error, 'NoSuchKey')) return undefined
      if (isS3Error(error, 'PreconditionFailed')) throw new DocumentReplacedError()
      if (isS3Error(error, 'InvalidRange')) throw new RangeError('The range starts after the end of the document')
      throw error
    }
  }

  async *#read(body: Readable): AsyncGenerator<Uint8Array> {
    try {
      yield* withMinimumRate(body, this.#deadlines.transferMilliseconds)
    } catch (error) {
      throw toUnavailableError('S3', error)
    }
  }

  async head(key: string): Promise<DocumentHead | undefined> {
    const found = await this.#head(key)
    return found && headOf(found)
  }

  async version(key: string): Promise<string | undefined> {
    const found = await this.#head(key)
    if (found && !found.ETag) throw new Error('The store returned no ETag')
    return found?.ETag
  }

  async #head(key: string): Promise<HeadObjectCommandOutput | undefined> {
    const command = new HeadObjectCommand(this.#location(key))
    try {
      return await this.#call((abortSignal) => this.#client.send(command, { abortSignal }))
    } catch (error) {
      // The response to HEAD has no body, so only its status is known.
      if (isS3Error(error, 'NotFound')) return undefined
      throw error
    }
  }

  async delete(key: string): Promise<void> {
    const command = new DeleteObjectCommand(this.#location(key))
    await this.#call((abortSignal) => this.#client.send(command, { abortSignal }))
  }

  async presignGet(key: string, { contentType, contentEncoding }: DownloadHeaders): Promise<string> {
    const command = new GetObjectCommand({
      ...this.#location(key),
      ResponseContentType: contentType,
      ...(contentEncoding && { ResponseContentEncoding: contentEncoding }),
    })
    // S3 is not called, but credentials may have to be fetched.
    return this.#call(() => getSignedUrl(this.#client, command, { expiresIn: URL_LIFETIME_SECONDS }))
  }

  async presignPut(key: string, { contentType, contentMd5 }: UploadHeaders): Promise<string> {
    const command = new PutObjectCommand({
      ...this.#location(key),
      ...(contentType !== undefined && { ContentType: contentType }),
      ...(contentMd5 !== undefined && { ContentMD5: contentMd5 }),
    })
    // By default the presigner omits the content type and moves the hash into the query, and the URL would accept any.
    const signableHeaders = new Set([...(contentType === undefined ? [] : ['content-type']), 'content-md5'])
    const unhoistableHeaders = new Set(['content-md5'])
    const options = { expiresIn: URL_LIFETIME_SECONDS, signableHeaders, unhoistableHeaders }
    return this.#call(() => getSignedUrl(this.#client, command, options))
  }

  close(): void {
    this.#client.destroy()
  }

  /** Makes a call with a deadline. Errors of the request itself are thrown unchanged. */
  async #call<Result>(call: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    try {
      return await withDeadline(this.#deadlines.callMilliseconds, call)
    } catch (error) {
      throw toUnavailableError('S3', error)
    }
  }

  /** The client for uploads, which make several calls: each part has its own deadline. */
  #uploadClient(stop: AbortSignal | undefined): S3Client {
    const { callMilliseconds, transferMilliseconds } = this.#deadlines
    const send = (command: PutObjectCommand) => {
      const sendWithin = (milliseconds: number, signal?: AbortSignal) =>
        withDeadline(milliseconds, (abortSignal) => this.#client.send(command, { abortSignal }), { stop: signal })
      // The clean-up after an abort must not be aborted.
      return command instanceof AbortMultipartUploadCommand
        ? sendWithin(callMilliseconds)
        : sendWithin(transferMilliseconds, stop)
    }
    return Object.create(this.#client, { send: { value: send } })
  }

  #location(key: string): { Bucket: string; Key: string } {
    requireDocumentKey(key)
    return { Bucket: this.#bucket, Key: this.#prefix ? `${this.#prefix}/${key}` : key }
  }
}

interface ObjectMetadata {
  ContentLength?: number | undefined
  /** `bytes 0-9/100`, for a range only. */
  ContentRange?: string | undefined
  LastModified?: Date | undefined
}

function headOf({ ContentLength, ContentRange, LastModified }: ObjectMetadata): DocumentHead {
  const bytes = ContentRange ? Number(ContentRange.split('/')[1]) : ContentLength
  if (bytes === undefined || LastModified === undefined) throw new Error('The store returned no size or date')
  return { bytes, modifiedAt: LastModified }
}

function isS3Error(error: unknown, name: string): boolean {
  return error instanceof S3ServiceException && error.name === name
}
