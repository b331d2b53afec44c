import { createHash } from 'node:crypto'
import type { Stats } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { BoundedMap } from '../bounded-map.ts'
import type { Clock } from '../clock/port.ts'
import { noSuchKey, StorageError } from '../errors/storage-error.ts'
import { UnavailableError } from '../errors/unavailable-error.ts'
import type { Ids } from '../ids/port.ts'
import { makeFolder } from '../make-folder.ts'
import { convertReadErrors } from './convert-read-errors.ts'
import { isMarked, markerOf } from './folder-marker.ts'
import {
  type ByteRange,
  type DocumentHead,
  DocumentReplacedError,
  type DocumentStore,
  type DownloadHeaders,
  type StoredDocument,
  type UploadHeaders,
} from './port.ts'
import { isDocumentKey, requireDocumentKey, safePath } from './safe-path.ts'
import { type SignedUrlRequest, UrlSigner } from './url-signing.ts'
import { WatchedSource } from './watched-source.ts'

/** The path at which the service serves signed URLs of this store. */
export const DOCUMENTS_PATH = '/documents/'

const MAX_CACHED_UPLOAD_TYPES = 1000

export interface FileDocumentStoreOptions {
  folder: string
  /** Returns the URL at which sellers reach the service. A function, because the port may be known only after listening. */
  publicUrl: () => string
  signingSecret: string
  /** URLs signed with one of these secrets are valid too. */
  fallbackSecrets?: readonly string[]
  clock: Clock
  ids: Ids
  /** Whether the folder has a marker, without which it is unavailable: its volume is not mounted. Default: no. */
  isMarked?: boolean
}

export interface VerifiedUrl {
  key: string
  labels: Partial<DownloadHeaders>
}

/** Documents as files in a folder, with signed URLs that the service itself serves. */
export class FileDocumentStore implements DocumentStore {
  readonly #folder: string
  readonly #incoming: string
  readonly #publicUrl: () => string
  readonly #signer: UrlSigner
  readonly #clock: Clock
  readonly #ids: Ids
  readonly #isMarked: boolean
  readonly #writing = new Set<string>()
  /** By path, for messages only, because another process may have signed the URL. */
  readonly #uploadTypes = new BoundedMap<string, string>(MAX_CACHED_UPLOAD_TYPES)

  constructor(options: FileDocumentStoreOptions) {
    const { folder, publicUrl, signingSecret, fallbackSecrets, clock, ids } = options
    this.#folder = resolve(folder)
    // In the same folder and so on the same disk, because a rename across disks is not atomic.
    this.#incoming = join(this.#folder, '.incoming')
    this.#publicUrl = publicUrl
    this.#signer = new UrlSigner(signingSecret, clock, fallbackSecrets)
    this.#clock = clock
    this.#ids = ids
    this.#isMarked = options.isMarked ?? false
  }

  async put(key: string, source: AsyncIterable<Uint8Array>): Promise<{ bytes: number }> {
    const path = safePath(this.#folder, key)
    const name = this.#ids.next('upload')
    const incoming = join(this.#incoming, name)
    const content = new WatchedSource(source)
    this.#writing.add(name)
    try {
      await this.#requireMarker()
      makeFolder(this.#incoming)
      const bytes = await this.#write(incoming, content)
      const firstCreated = await mkdir(dirname(path), { recursive: true })
      await rename(incoming, path)
      await syncFolders(dirname(path), firstCreated)
      return { bytes }
    } catch (error) {
      // If this fails too, the sweep deletes the file.
      await rm(incoming, { force: true }).catch(() => {})
      throw content.failure ? content.failure.error : toOutage(error)
    } finally {
      this.#writing.delete(name)
    }
  }

  async get(key: string, range?: ByteRange, version?: string): Promise<StoredDocument | undefined> {
    const opened = await this.#open(key)
    if (!opened) return undefined
    const { file, stats } = opened
    try {
      if (range && range.first >= stats.size) throw new RangeError('The range starts after the end of the document')
      // From the open file, which never changes: a new document is another file.
      if (version !== undefined && version !== (await digestOf(file))) throw new DocumentReplacedError()
      const body = file.createReadStream({ start: range?.first ?? 0, ...(range && { end: range.last }) })
      return { bytes: stats.size, modifiedAt: stats.mtime, content: convertReadErrors(body, toOutage) }
    } catch (error) {
      await close(file)
      throw toOutage(error)
    }
  }

  async head(key: string): Promise<DocumentHead | undefined> {
    const stats = await stat(safePath(this.#folder, key)).catch(ignoreMissing)
    if (!stats) await this.#requireMarker()
    return stats?.isFile() ? { bytes: stats.size, modifiedAt: stats.mtime } : undefined
  }

  async version(key: string): Promise<string | undefined> {
    const opened = await this.#open(key)
    if (!opened) return undefined
    try {
      return await digestOf(opened.file)
    } catch (error) {
      throw toOutage(error)
    } finally {
      await close(opened.file)
    }
  }

  async #open(key: string): Promise<{ file: FileHandle; stats: Stats } | undefined> {
    const file = await open(safePath(this.#folder, key)).catch(ignoreMissing)
    if (!file) {
      await this.#requireMarker()
      return undefined
    }
    try {
      const stats = await file.stat()
      if (stats.isFile()) return { file, stats }
    } catch (error) {
      await close(file)
      throw toOutage(error)
    }
    await close(file)
    return undefined
  }

  /** Without the marker, nothing is known about any document. */
  async #requireMarker(): Promise<void> {
    if (!this.#isMarked) return
    const found = await isMarked(this.#folder).catch((error) => {
      throw toOutage(error)
    })
    if (!found) throw new UnavailableError(`The document folder is not usable: there is no ${markerOf(this.#folder)}`)
  }

  async delete(key: string): Promise<void> {
    const path = safePath(this.#folder, key)
    try {
      await unlink(path)
    } catch (error) {
      ignoreMissing(error as NodeJS.ErrnoException)
      await this.#requireMarker()
    }
  }

  async presignGet(key: string, labels: DownloadHeaders): Promise<string> {
    requireDocumentKey(key)
    return this.#signer.signDownload(this.#publicUrl(), DOCUMENTS_PATH + key, labels)
  }

  async presignPut(key: string, headers: UploadHeaders): Promise<string> {
    requireDocumentKey(key)
    if (headers.contentType !== undefined) this.#uploadTypes.set(DOCUMENTS_PATH + key, headers.contentType)
    return this.#signer.signUpload(this.#publicUrl(), DOCUMENTS_PATH + key, headers)
  }

  /** Throws a StorageError unless the URL was signed for exactly this request and has not expired. */
  async verifyUrl(request: SignedUrlRequest): Promise<VerifiedUrl> {
    const labels = await this.#signer
      .verify(this.#publicUrl(), request)
      .catch((error) => this.#explainMismatch(error, request))
    const key = request.path.slice(DOCUMENTS_PATH.length)
    if (isDocumentKey(key)) return { key, labels }
    throw noSuchKey(key)
  }

  /** Another content type is the usual mistake of uploads. It is reported only if the URL is valid otherwise. */
  async #explainMismatch(error: unknown, request: SignedUrlRequest): Promise<never> {
    const contentType = this.#uploadTypes.get(request.path)
    if (request.method !== 'PUT' || contentType === undefined || contentType === request.contentType) throw error
    const isGood = await this.#signer.verify(this.#publicUrl(), { ...request, contentType }).catch(() => undefined)
    if (!isGood) throw error
    const given = request.contentType === undefined ? 'none' : `"${request.contentType}"`
    throw new StorageError(
      'SignatureDoesNotMatch',
      `The URL was signed for the content type "${contentType}", and the request has ${given}.`,
      {
        explain: () => ({
          facts: { signedFor: contentType, sent: request.contentType ?? null },
          change: { headers: { 'content-type': contentType } },
        }),
      },
    )
  }

  /** Deletes incomplete files of processes that were killed. Takes a time of the system, as files have it. */
  async sweepAbandoned(olderThan: Date): Promise<void> {
    for (const name of (await readdir(this.#incoming).catch(ignoreMissing)) ?? []) {
      const path = join(this.#incoming, name)
      const stats = await stat(path).catch(ignoreMissing)
      if (stats && stats.ctime < olderThan && !this.#writing.has(name)) await rm(path, { force: true })
    }
  }

  async #write(path: string, source: AsyncIterable<Uint8Array>): Promise<number> {
    const file = await open(path, 'wx')
    try {
      await file.writeFile(source)
      await file.utimes(this.#clock.now(), this.#clock.now())
      await file.sync()
      return (await file.stat()).size
    } finally {
      await file.close()
    }
  }
}

async function digestOf(file: FileHandle): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of file.createReadStream({ start: 0, autoClose: false })) hash.update(chunk)
  return hash.digest('base64url')
}

/** A file name is durable only after its folder was synced, and a new folder only after its parent was. */
async function syncFolders(folder: string, firstCreated: string | undefined): Promise<void> {
  // Windows cannot open a folder, and its file system journals names.
  if (process.platform === 'win32') return
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
  if (firstCreated && folder.length >= firstCreated.length) await syncFolders(dirname(folder), firstCreated)
}

// A folder is not a document, and neither is a path below a document.
const MISSING_CODES = ['ENOENT', 'ENOTDIR', 'EISDIR']

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (!MISSING_CODES.includes(error.code ?? '')) throw toOutage(error)
}

// Something else is where a folder or a file should be. That does not pass by itself.
const WRONG_KIND_CODES = ['ENOTDIR', 'EISDIR', 'EEXIST']

/** Whatever else the system says about the disk is an outage: full, read-only, broken, not mounted, too many open files. */
function toOutage(error: unknown): unknown {
  const { syscall, code = '' } = error as NodeJS.ErrnoException
  if (!(error instanceof Error) || syscall === undefined || WRONG_KIND_CODES.includes(code)) return error
  return new UnavailableError(`The document folder is not usable: ${error.message}`, { cause: error })
}

/** Closes a file that was read: an error has no effect on what was read. */
const close = (file: FileHandle) => file.close().catch(() => {})
