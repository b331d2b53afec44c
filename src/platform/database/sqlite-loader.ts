import Sqlite from 'better-sqlite3'
import { isBusy } from './sqlite-errors.ts'
import { openSqlite } from './sqlite-file.ts'
import { bufferOf, type CheckedImage, checkImage } from './sqlite-image.ts'

/** Replaces the content of a database file by an image. Connections, also those of other programs, stay open. */
export class SqliteLoader {
  readonly #path: string
  readonly #mappedBytes: number
  #connection: Sqlite.Database | undefined

  constructor(path: string, { mappedBytes }: { mappedBytes: number }) {
    this.#path = path
    this.#mappedBytes = mappedBytes
  }

  /**
   * In one transaction: a crash leaves the old content or the new one. The next commit syncs it: a power failure before may
   * leave the old content. Throws if another program writes.
   */
  async load(image: Uint8Array): Promise<void> {
    this.#connection ??= this.#open()
    const bytes = bufferOf(image)
    if (!replaceTables(this.#connection, bytes, checkImage(image))) await copyWhole(bytes, this.#path)
  }

  #open(): Sqlite.Database {
    const connection = openSqlite(this.#path, { readonly: false, mappedBytes: this.#mappedBytes })
    // Rows that refer to replaced ones stay, and the image as a whole satisfies the constraints.
    connection.pragma('foreign_keys = off')
    connection.pragma('synchronous = normal')
    return connection
  }

  close(): void {
    this.#connection?.close()
  }
}

/**
 * Replaces the rows of the tables that differ, which are few after most tests: to copy the image would write all pages, and
 * have each connection read the schema and prepare its statements again. Returns false, and changes nothing, if the image is
 * to be copied.
 */
function replaceTables(target: Sqlite.Database, image: Buffer, { tableOf }: CheckedImage): boolean {
  target.exec('begin immediate')
  try {
    const isGrown = numberOf(target, 'page_count') * numberOf(target, 'page_size') > MAX_GROWTH * image.length
    const tables = isGrown ? undefined : findDifferentTables(target.serialize(), image, tableOf)
    if (tables) copyTables(image, target, tables)
    target.exec(tables ? 'commit' : 'rollback')
    return tables !== undefined
  } catch (error) {
    if (target.inTransaction) target.exec('rollback')
    if (isBusy(error)) throw error
    // The file may be damaged, and the image repairs it. If the disk is full, the copy fails for the same reason.
    return false
  }
}

const numberOf = (sqlite: Sqlite.Database, name: string) => Number(sqlite.pragma(name, { simple: true }))

/** A file with many more pages than the image stays as large if its tables are emptied. A copy makes it small again. */
const MAX_GROWTH = 2
/** If tables with a larger part of the pages differ, a copy of all pages is faster than one of their rows. */
const MAX_DIFFERENT = 0.3
const HEADER_BYTES = 100
// The size of pages, what is reserved of each, and settings such as the encoding. The rest of the header counts changes.
const SETTINGS = [
  [16, 18],
  [20, 24],
  [44, 72],
] as const

/**
 * Returns the tables whose pages in the image have other content in the file, or undefined if the image has to be copied.
 *
 * All other tables are equal. A page names the pages below it and those that it continues on, and equal schemas name
 * the same root pages: if none of the pages that a table has in the image differ, then the file has the same pages in
 * the table.
 */
function findDifferentTables(file: Buffer, image: Buffer, tableOf: CheckedImage['tableOf']): Set<string> | undefined {
  const isEqual = (start: number, end: number) =>
    end <= file.length && file.compare(image, start, end, start, end) === 0
  if (!SETTINGS.every(([start, end]) => isEqual(start, end))) return undefined
  // 65,536 does not fit into its two bytes.
  const pageBytes = image.readUInt16BE(16) === 1 ? 65_536 : image.readUInt16BE(16)
  const tables = new Set<string>()
  for (const [page, table] of tableOf) {
    const end = page * pageBytes
    if (!tables.has(table) && !isEqual(page === 1 ? HEADER_BYTES : end - pageBytes, end)) tables.add(table)
  }
  const isSchemaEqual = ![...tables].some((table) => table.startsWith('sqlite_'))
  const different = [...tableOf.values()].filter((table) => tables.has(table)).length
  return isSchemaEqual && different <= tableOf.size * MAX_DIFFERENT ? tables : undefined
}

function copyTables(image: Buffer, target: Sqlite.Database, tables: ReadonlySet<string>): void {
  const source = new Sqlite(image)
  try {
    for (const table of tables) copyTable(source, target, `"${table.replaceAll('"', '""')}"`)
  } finally {
    source.close()
  }
}

function copyTable(source: Sqlite.Database, target: Sqlite.Database, table: string): void {
  target.exec(`delete from ${table}`)
  // In the order in which they were written, which the row ids of the copies keep.
  const rows = source.prepare(`select * from ${table} not indexed`).raw().safeIntegers()
  const insert = target.prepare(`insert into ${table} values (${rows.columns().map(() => '?')})`)
  for (const row of rows.iterate() as Iterable<unknown[]>) insert.run(row)
}

const ALL_PAGES = 2 ** 31 - 1

async function copyWhole(image: Buffer, path: string): Promise<void> {
  const source = new Sqlite(image)
  try {
    const { totalPages } = await source.backup(path, { progress: () => ALL_PAGES })
    // It resolves without pages if another program writes.
    if (totalPages === 0) throw new Sqlite.SqliteError('database is locked', 'SQLITE_BUSY')
  } finally {
    source.close()
  }
}
