import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { type SourceFile, sourceFiles, withoutComments } from './source-files.ts'

// Dropped in the next release.
const UNUSED = ['listing_submissions']

test('every table is declared once, in the tables.ts of its owner', () => {
  const files = sourceFiles()
  const owners = ownersOf(files)
  const undeclared = createdTables(files).filter((table) => !owners.has(table))
  expect(undeclared).toEqual(UNUSED)
  const duplicates = [...owners].filter(([, folders]) => folders.length > 1)
  expect(duplicates.map(([table, folders]) => `${table}: ${folders.join(', ')}`)).toEqual([])
})

test('a table is queried only in the folder of its owner', () => {
  const files = sourceFiles()
  const owners = ownersOf(files)
  const queries = files.filter(({ path }) => !path.startsWith('migrations/'))
  const uses = queries.flatMap(({ path, text }) =>
    tablesUsed(text, owners).flatMap((table) =>
      owners.get(table)?.some((folder) => path.startsWith(`${folder}/`)) ? [] : [`${path}: ${table}`],
    ),
  )
  expect([...new Set(uses)].sort()).toEqual([])
})

test('every form of query is found', () => {
  const owners = new Map(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'].map((table) => [table, ['there']]))
  const text = `
    db.selectFrom('a').innerJoin('b', 'b.id', 'a.id').leftJoin('c', (join) => join)
    db.insertInto('d')
    db.updateTable( 'e')
    db
      .deleteFrom(
        'f',
      )
    await upsertMany(
      tx,
      'g', ['id'], rows)
    sql\`exists (select 1 from h where id in (select id from i))\`
    db.selectFrom('elsewhere') // from j`
  expect(tablesUsed(text, owners)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'])
})

/** The folders that declare each table. */
function ownersOf(files: readonly SourceFile[]): Map<string, string[]> {
  const owners = new Map<string, string[]>()
  for (const { path, text } of files.filter((file) => posix.basename(file.path) === 'tables.ts')) {
    for (const [, table = ''] of text.matchAll(/^ {2}(\w+): \{$/gm)) {
      owners.set(table, [...(owners.get(table) ?? []), posix.dirname(path)].sort())
    }
  }
  return owners
}

function createdTables(files: readonly SourceFile[]): string[] {
  const migrations = files.filter(({ path }) => path.startsWith('migrations/'))
  return migrations.flatMap(({ text }) => [...text.matchAll(/create table (\w+)/g)].map(([, table = '']) => table))
}

const QUERY =
  /(?:selectFrom|insertInto|updateTable|deleteFrom|(?:inner|left|right|full)Join)\(\s*'(\w+)|upsertMany\(\s*\w+,\s*'(\w+)'|\b(?:from|join|into|update) (\w+)/g

function tablesUsed(text: string, owners: ReadonlyMap<string, unknown>): string[] {
  const names = [...withoutComments(text).matchAll(QUERY)].map(([, built, upserted, written]) => {
    return built ?? upserted ?? written ?? ''
  })
  return names.filter((name) => owners.has(name))
}
