import Sqlite from 'better-sqlite3'

// Offsets in the header of a database file, and the version without a write-ahead log.
const WRITE_VERSION = 18
const READ_VERSION = 19
const ROLLBACK_JOURNAL = 1

/** Marks an image so that it can be opened in memory, where there is no write-ahead log. */
export function withoutLog(image: Buffer): Buffer {
  image[WRITE_VERSION] = ROLLBACK_JOURNAL
  image[READ_VERSION] = ROLLBACK_JOURNAL
  return image
}

const MAGIC = Buffer.from('SQLite format 3\0')

/** These bytes are not those of an intact database file. */
export class InvalidImageError extends Error {
  override name = 'InvalidImageError'
}

/** What was found in an image that is intact. */
export interface CheckedImage {
  /** The table that each page belongs to, also those of its indexes. Free pages belong to none. */
  tableOf: ReadonlyMap<number, string>
}

// A check takes milliseconds, and images do not change.
const checked = new WeakMap<Uint8Array, CheckedImage>()

/** To be called for the content of a file that was checked before and has not changed. */
export const trustImage = (image: Uint8Array, before: CheckedImage): void => void checked.set(image, before)

/** How much of an image `hasImageStart` needs. */
export const IMAGE_START_BYTES = 100

/** Whether an image with this start has its whole length. Takes no time, unlike a check. */
export function hasImageStart(start: Buffer, bytes: number): boolean {
  if (start.length < IMAGE_START_BYTES || !MAGIC.equals(start.subarray(0, MAGIC.length))) return false
  const pageBytes = start.readUInt16BE(16)
  // Two bytes cannot hold the largest size.
  return bytes === (pageBytes === 1 ? 65_536 : pageBytes) * start.readUInt32BE(28)
}

/** Throws unless these are the bytes of an intact database file. Each image is checked once. */
export function checkImage(image: Uint8Array): CheckedImage {
  const before = checked.get(image)
  if (before) return before
  if (!MAGIC.equals(image.subarray(0, MAGIC.length))) throw new InvalidImageError('This is not an image of a database')
  try {
    if (!hasImageStart(bufferOf(image), image.length)) throw new Error('It does not have its whole length')
    const found = check(image)
    checked.set(image, found)
    return found
  } catch (cause) {
    throw new InvalidImageError('This image of a database is damaged', { cause })
  }
}

function check(image: Uint8Array): CheckedImage {
  const sqlite = new Sqlite(bufferOf(image))
  try {
    const [finding] = sqlite.prepare('pragma quick_check(1)').pluck().all()
    if (finding !== 'ok') throw new Error(String(finding))
    return { tableOf: mapPages(sqlite) }
  } finally {
    sqlite.close()
  }
}

function mapPages(sqlite: Sqlite.Database): Map<number, string> {
  const all = <Row>(sql: string) => sqlite.prepare(sql).raw().all() as Row[]
  // Not joined by SQLite, which would read the schema for each page.
  const tables = new Map(all<[string, string]>('select name, tbl_name from sqlite_schema'))
  const pages = all<[number, string]>('select pageno, name from dbstat')
  return new Map(pages.map(([page, name]) => [page, tables.get(name) ?? name]))
}

export const bufferOf = (image: Uint8Array): Buffer => Buffer.from(image.buffer, image.byteOffset, image.length)
