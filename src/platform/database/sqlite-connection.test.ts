import Sqlite from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { DatabaseUnavailableError } from './port.ts'
import { prepare, queryBuilder } from './query.ts'
import { SqliteConnection } from './sqlite-connection.ts'

const db = queryBuilder<{ notes: { text: string } }>()
const select = db.selectFrom('notes').select('text')
const insert = prepare((row: { text: string }) => db.insertInto('notes').values(row))

/** A test cannot break the disk, so each statement fails as it would. */
function connectionThatFailsWith(code: string): SqliteConnection {
  const fail = () => {
    throw new Sqlite.SqliteError('from the disk', code)
  }
  const statement = { readonly: true, all: fail, get: fail, run: fail }
  return new SqliteConnection({ prepare: () => statement } as unknown as Sqlite.Database)
}

describe.each(['SQLITE_IOERR_READ', 'SQLITE_FULL', 'SQLITE_CANTOPEN', 'SQLITE_BUSY_RECOVERY', 'SQLITE_PROTOCOL'])(
  'a statement that fails with %s',
  (code) => {
    const connection = connectionThatFailsWith(code)
    test.each([
      ['reads rows', () => connection.all(select)],
      ['reads a row', () => connection.first(select)],
      ['reads a row at once', async () => connection.peek(select)],
      ['writes', () => connection.run(insert, { text: 'x' })],
      ['writes rows', () => connection.runEach(insert, [{ text: 'x' }])],
    ])('and %s is an outage of the database', async (_, run) => {
      await expect(run()).rejects.toThrow(DatabaseUnavailableError)
    })
  },
)

test('a mistake in a statement is not an outage', async () => {
  await expect(connectionThatFailsWith('SQLITE_ERROR').all(select)).rejects.not.toThrow(DatabaseUnavailableError)
})
