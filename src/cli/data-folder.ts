import { accessSync, constants, mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Stumble } from './stumble.ts'

/** Makes sure of the folder and answers where in it things lie. */
export function prepareDataFolder(
  folder: string,
  { fresh }: { fresh: boolean },
): { database: string; documents: string; eventBus: string } {
  const path = resolve(folder)
  const database = join(path, 'souk.db')
  const documents = join(path, 'documents')
  const eventBus = join(path, 'event-bus.jsonl')
  try {
    mkdirSync(path, { recursive: true })
    accessSync(path, constants.W_OK)
    // Only what is ours goes: the folder may be the user's own.
    if (fresh) {
      for (const suffix of ['', '-wal', '-shm']) rmSync(database + suffix, { force: true })
      rmSync(documents, { recursive: true, force: true })
      for (const suffix of ['', '.old']) rmSync(eventBus + suffix, { force: true })
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Stumble(`The data folder ${path} cannot be written (${code}): choose another with --data.`)
  }
  return { database, documents, eventBus }
}

/** Puts into words why the database in the folder could not be opened. */
export function explainDatabaseError(error: unknown, database: string): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code !== 'SQLITE_NOTADB' && code !== 'SQLITE_CORRUPT') return error
  return new Stumble(
    `${database} is not a database of souk: begin anew with --fresh, or choose another folder with --data.`,
  )
}
