import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandInput,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { type AwsDeadlines, defaultDeadlines, withMinimumRate } from '../aws/deadlines.ts'
import { withDeadline } from '../deadline.ts'
import { UnavailableError } from '../errors/unavailable-error.ts'
import { handlerSettings } from '../messaging/aws.ts'
import { convertReadErrors } from './convert-read-errors.ts'
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
import { WatchedSource } from './watched-source.ts'

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

// What S3 says about a document in response to GET. Without such a name, a 404 is that of a proxy.
const GET_ERRORS = ['NoSuchKey', 'PreconditionFailed', 'InvalidRange']

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
    const content = new WatchedSource(source)
    // One part at a time, because parts are in memory, and so that a failing source is noticed before the next part.
    const upload = new Upload({
      client: this.#uploadClient(signal),
      params: { ...this.#location(key), Body: Readable.from(content) },
      queueSize: 1,
    })
    try {
      await upload.done()
    } catch (error) {
      if (content.failure) throw content.failure.error
      throw signal?.aborted ? error : toOutage(error)
    }
    return { bytes: content.bytes }
  }

  async get(key: string, range?: ByteRange, version?: string): Promise<StoredDocument | undefined> {
    const Range = range && `bytes=${range.first}-${range.last}`
    const found = await this.#getObject({ ...this.#location(key), Range, IfMatch: version })
    if (!found) return undefined
    try {
      const chunks = withMinimumRate(found.Body, this.#deadlines.transferMilliseconds)
      return { ...headOf(found), content: convertReadErrors(found.Body, toOutage, chunks) }
    } catch (error) {
      // It would keep its connection.
      found.Body.destroy()
      throw error
    }
  }

  async #getObject(
    input: GetObjectCommandInput,
    stop?: AbortSignal,
  ): Promise<(ObjectMetadata & { Body: Readable }) | undefined> {
    const command = new GetObjectCommand(input)
    try {
      const found = await this.#call((abortSignal) => this.#client.send(command, { abortSignal }), GET_ERRORS, stop)
      return { ...found, Body: found.Body as Readable }
    } catch (error) {
      if (isS3Error(error, 'NoSuchKey')) return undefined
      if (isS3Error(error, 'PreconditionFailed')) throw new DocumentReplacedError()
      if (isS3Error(error, 'InvalidRange')) throw new RangeError('The range starts after the end of the document')
      throw error
    }
  }

  async head(key: string): Promise<DocumentHead | undefined> {
    const found = await this.#head(key)
    return found && headOf(found)
  }

  async version(key: string): Promise<string | undefined> {
    const found = await this.#forRequest((signal) => this.#head(key, signal))
    if (found && !found.ETag) throw incompleteResponse('ETag')
    return found?.ETag
  }

  async #head(key: string, stop?: AbortSignal): Promise<ObjectMetadata | undefined> {
    const command = new HeadObjectCommand(this.#location(key))
    try {
      return await this.#call((abortSignal) => this.#client.send(command, { abortSignal }), ['NotFound'], stop)
    } catch (error) {
      if (!isS3Error(error, 'NotFound')) throw error
      // The response to HEAD has no body, so a missing bucket looks the same as a missing document. That to GET says which.
      const found = await this.#getObject(this.#location(key), stop)
      found?.Body.destroy()
      return found
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
    return this.#forRequest(() => getSignedUrl(this.#client, command, { expiresIn: URL_LIFETIME_SECONDS }))
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
    return this.#forRequest(() => getSignedUrl(this.#client, command, options))
  }

  close(): void {
    this.#client.destroy()
  }

  /** Makes a call with a deadline. Any other error than these is an outage. */
  async #call<Result>(
    call: (signal: AbortSignal) => Promise<Result>,
    documentErrors: readonly string[] = [],
    stop?: AbortSignal,
  ): Promise<Result> {
    try {
      return await withDeadline(this.#deadlines.callMilliseconds, call, { stop })
    } catch (error) {
      throw documentErrors.some((name) => isS3Error(error, name)) ? error : toOutage(error)
    }
  }

  /** What a client waits for has a shorter deadline than the work of jobs. */
  async #forRequest<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const { callMilliseconds, requestMilliseconds } = this.#deadlines
    try {
      return await withDeadline(Math.min(callMilliseconds, requestMilliseconds), work)
    } catch (error) {
      throw error instanceof UnavailableError ? error : toOutage(error)
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
  ETag?: string | undefined
}

function headOf({ ContentLength, ContentRange, LastModified }: ObjectMetadata): DocumentHead {
  const bytes = ContentRange ? Number(ContentRange.split('/')[1]) : ContentLength
  if (bytes === undefined || LastModified === undefined) throw incompleteResponse('size or date')
  return { bytes, modifiedAt: LastModified }
}

const incompleteResponse = (missing: string) => new UnavailableError(`S3 is not usable: it returned no ${missing}`)

const isS3Error = (error: unknown, name: string) => error instanceof S3ServiceException && error.name === name

/**
 * All errors are outages of S3, except those that say something about the document: Souk builds the requests, so a seller
 * cannot make one fail, and a list of outages would never be complete.
 */
function toOutage(error: unknown): UnavailableError {
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return new UnavailableError(`S3 is not usable: ${reason}`, { cause: error })
}
