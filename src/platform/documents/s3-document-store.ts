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
  URL_LIFETIME_SECONDS,
} from './port.ts'
import { requireDocumentKey } from './safe-path.ts'

export interface S3DocumentStoreOptions {
  bucket: string
  /** What stands before every key, without a slash at its end. May be empty. */
  prefix: string
  /** Of a store that speaks S3 and is not AWS's. */
  endpoint?: string
  /** As the AWS settings of the process say unless stated. */
  region?: string
  /** The bucket in the path and not in the host. */
  forcePathStyle: boolean
  deadlines?: AwsDeadlines
}

/** Documents in a bucket, behind addresses that the bucket itself serves. To be loaded only where it is used. */
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
      // In a signed address, a checksum would ask whoever uses it for headers that nobody told them of.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    })
  }

  /** Whether a region was stated, or is found where AWS clients look for one. */
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
    // One part at a time: each is held in memory, and a source that fails is then noticed before the next.
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
      // Also where nothing of it was read.
      content.once('close', () => body.destroy())
      return { ...headOf(found), content }
    } catch (error) {
      if (isS3Error(error, 'NoSuchKey')) return undefined
      if (isS3Error(error, 'PreconditionFailed')) throw new DocumentReplacedError()
      if (isS3Error(error, 'InvalidRange')) throw new RangeError('The range begins beyond the document')
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
    if (found && !found.ETag) throw new Error('The store does not say which version it holds')
    return found?.ETag
  }

  async #head(key: string): Promise<HeadObjectCommandOutput | undefined> {
    const command = new HeadObjectCommand(this.#location(key))
    try {
      return await this.#call((abortSignal) => this.#client.send(command, { abortSignal }))
    } catch (error) {
      // The answer to HEAD has no body, so all that is known of it is the status.
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
    // S3 is not asked, but credentials may have to be fetched.
    return this.#call(() => getSignedUrl(this.#client, command, { expiresIn: URL_LIFETIME_SECONDS }))
  }

  async presignPut(key: string, { contentType }: { contentType: string }): Promise<string> {
    const command = new PutObjectCommand({ ...this.#location(key), ContentType: contentType })
    // Unless told, the presigner leaves the content type out, and any would do.
    const signableHeaders = new Set(['content-type'])
    const options = { expiresIn: URL_LIFETIME_SECONDS, signableHeaders }
    return this.#call(() => getSignedUrl(this.#client, command, options))
  }

  close(): void {
    this.#client.destroy()
  }

  /** Makes a short call, in time. What is wrong with the request itself is thrown as it is. */
  async #call<Result>(call: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    try {
      return await withDeadline(this.#deadlines.callMilliseconds, call)
    } catch (error) {
      throw toUnavailableError('S3', error)
    }
  }

  /** The client as an upload sees it, which makes its calls itself: each part has its deadline. */
  #uploadClient(stop: AbortSignal | undefined): S3Client {
    const { callMilliseconds, transferMilliseconds } = this.#deadlines
    const send = (command: PutObjectCommand) => {
      const sendWithin = (milliseconds: number, signal?: AbortSignal) =>
        withDeadline(milliseconds, (abortSignal) => this.#client.send(command, { abortSignal }), { stop: signal })
      // What clears up after a stop must not be stopped.
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
  /** `bytes 0-9/100`, of a part only. */
  ContentRange?: string | undefined
  LastModified?: Date | undefined
}

function headOf({ ContentLength, ContentRange, LastModified }: ObjectMetadata): DocumentHead {
  const bytes = ContentRange ? Number(ContentRange.split('/')[1]) : ContentLength
  if (bytes === undefined || LastModified === undefined) throw new Error('The store does not say what it holds')
  return { bytes, modifiedAt: LastModified }
}

function isS3Error(error: unknown, name: string): boolean {
  return error instanceof S3ServiceException && error.name === name
}
