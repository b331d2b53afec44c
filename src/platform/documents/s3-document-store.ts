import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import {
  ADDRESS_LIFETIME_SECONDS,
  type ByteRange,
  type DocumentHead,
  type DocumentStore,
  type DownloadLabels,
  type StoredDocument,
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
}

/** Documents in a bucket, behind addresses that the bucket itself serves. To be loaded only where it is used. */
export class S3DocumentStore implements DocumentStore {
  readonly #client: S3Client
  readonly #bucket: string
  readonly #prefix: string

  constructor({ bucket, prefix, endpoint, region, forcePathStyle }: S3DocumentStoreOptions) {
    this.#bucket = bucket
    this.#prefix = prefix
    this.#client = new S3Client({
      ...(endpoint && { endpoint }),
      ...(region && { region }),
      forcePathStyle,
      // In a signed address, a checksum would ask whoever uses it for headers that nobody told them of.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    })
  }

  async put(key: string, source: AsyncIterable<Uint8Array>): Promise<{ bytes: number }> {
    let bytes = 0
    async function* counted() {
      for await (const chunk of source) {
        bytes += chunk.byteLength
        yield chunk
      }
    }
    // One part at a time: each is held in memory, and a source that fails is then noticed before the next.
    const upload = new Upload({
      client: this.#client,
      params: { ...this.#address(key), Body: Readable.from(counted()) },
      queueSize: 1,
    })
    await upload.done()
    return { bytes }
  }

  async get(key: string, range?: ByteRange): Promise<StoredDocument | undefined> {
    try {
      const Range = range && `bytes=${range.first}-${range.last}`
      const found = await this.#client.send(new GetObjectCommand({ ...this.#address(key), Range }))
      return { ...headOf(found), content: found.Body as Readable }
    } catch (error) {
      if (isRefusal(error, 'NoSuchKey')) return undefined
      if (isRefusal(error, 'InvalidRange')) throw new RangeError('The range begins beyond the document')
      throw error
    }
  }

  async head(key: string): Promise<DocumentHead | undefined> {
    try {
      return headOf(await this.#client.send(new HeadObjectCommand(this.#address(key))))
    } catch (error) {
      // The answer to HEAD has no body, so all that is known of it is the status.
      if (isRefusal(error, 'NotFound')) return undefined
      throw error
    }
  }

  async delete(key: string): Promise<void> {
    await this.#client.send(new DeleteObjectCommand(this.#address(key)))
  }

  async presignGet(key: string, { contentType, contentEncoding }: DownloadLabels): Promise<string> {
    const command = new GetObjectCommand({
      ...this.#address(key),
      ResponseContentType: contentType,
      ...(contentEncoding && { ResponseContentEncoding: contentEncoding }),
    })
    return getSignedUrl(this.#client, command, { expiresIn: ADDRESS_LIFETIME_SECONDS })
  }

  async presignPut(key: string, { contentType }: { contentType: string }): Promise<string> {
    const command = new PutObjectCommand({ ...this.#address(key), ContentType: contentType })
    // Unless told, the presigner leaves the content type out, and any would do.
    const signableHeaders = new Set(['content-type'])
    return getSignedUrl(this.#client, command, { expiresIn: ADDRESS_LIFETIME_SECONDS, signableHeaders })
  }

  close(): void {
    this.#client.destroy()
  }

  #address(key: string): { Bucket: string; Key: string } {
    requireDocumentKey(key)
    return { Bucket: this.#bucket, Key: this.#prefix ? `${this.#prefix}/${key}` : key }
  }
}

interface ObjectFacts {
  ContentLength?: number | undefined
  /** `bytes 0-9/100`, of a part only. */
  ContentRange?: string | undefined
  LastModified?: Date | undefined
}

function headOf({ ContentLength, ContentRange, LastModified }: ObjectFacts): DocumentHead {
  const bytes = ContentRange ? Number(ContentRange.split('/')[1]) : ContentLength
  if (bytes === undefined || LastModified === undefined) throw new Error('The store does not say what it holds')
  return { bytes, modifiedAt: LastModified }
}

function isRefusal(error: unknown, name: string): boolean {
  return error instanceof S3ServiceException && error.name === name
}
