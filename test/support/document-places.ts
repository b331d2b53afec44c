import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CopyObjectCommand, DeleteObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import type { FauxqsServer } from 'fauxqs'
import { afterFile } from './after-file.ts'
import { temporaryFolder } from './souk-process.ts'

/** Where processes keep their documents, as an operator sees it. */
export interface DocumentPlace {
  /** The settings of the processes. */
  env: Record<string, string>
  /** The keys of complete documents that start so. */
  list(prefix: string): Promise<string[]>
  remove(key: string): Promise<void>
}

export function createFolderPlace(): DocumentPlace & { folder: string } {
  const folder = temporaryFolder()
  return {
    folder,
    env: { SOUK_DOCUMENTS_URL: pathToFileURL(folder).href },
    async list(prefix) {
      if (!existsSync(join(folder, prefix))) return []
      const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
      const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
      return files.map((file) => file.slice(folder.length + 1)).filter((key) => key.startsWith(prefix))
    },
    remove: async (key) => rmSync(join(folder, key)),
  }
}

export interface BucketPlace extends DocumentPlace {
  bucket: string
  /** Copies what the other bucket does not have, as `aws s3 sync` does. Documents are never overwritten. */
  copyTo(other: BucketPlace): Promise<BucketPlace>
}

export function createBucketPlace(server: FauxqsServer, bucket: string): BucketPlace {
  server.createBucket(bucket)
  const endpoint = `http://127.0.0.1:${server.port}`
  const credentials = { accessKeyId: 'AKIATEST', secretAccessKey: 'a-secret' }
  const s3 = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials })
  afterFile(() => s3.destroy())
  const list = async (prefix: string) => {
    const keys: string[] = []
    let ContinuationToken: string | undefined
    do {
      const query = { Bucket: bucket, Prefix: prefix, ...(ContinuationToken && { ContinuationToken }) }
      const page = await s3.send(new ListObjectsV2Command(query))
      keys.push(...(page.Contents ?? []).map(({ Key = '' }) => Key))
      ContinuationToken = page.NextContinuationToken
    } while (ContinuationToken)
    return keys
  }
  return {
    bucket,
    env: {
      SOUK_DOCUMENTS_URL: `s3://${bucket}`,
      SOUK_S3_ENDPOINT: endpoint,
      SOUK_S3_REGION: 'us-east-1',
      // The server is in the process of the tests, which may be busy.
      SOUK_S3_REQUEST_TIMEOUT_MILLISECONDS: '60000',
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
    list,
    remove: async (Key) => void (await s3.send(new DeleteObjectCommand({ Bucket: bucket, Key }))),
    async copyTo(other) {
      const present = new Set(await other.list(''))
      for (const Key of await list('')) {
        if (present.has(Key)) continue
        await s3.send(new CopyObjectCommand({ Bucket: other.bucket, Key, CopySource: `${bucket}/${Key}` }))
      }
      return other
    },
  }
}
