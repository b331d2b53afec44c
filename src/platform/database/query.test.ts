import { expect, test } from 'vitest'
import { compile, MAX_STATEMENT_VALUES, prepare, queryBuilder } from './query.ts'
import { chunks, isOneOf } from './tuples.ts'

const db = queryBuilder<{ items: { one: string; other: string } }>()
const lookUp = (tuples: number) =>
  db
    .selectFrom('items')
    .selectAll()
    .where(isOneOf(['one', 'other'], Array<string[]>(tuples).fill(['a', 'b'])))

test.each(['sqlite', 'postgres'] as const)('a list without a bound fails with a clear message on %s', (dialect) => {
  expect(() => compile(lookUp(MAX_STATEMENT_VALUES / 2 + 1), dialect)).toThrow(
    `A statement has ${MAX_STATEMENT_VALUES + 2} values, and at most ${MAX_STATEMENT_VALUES} are allowed`,
  )
  expect(compile(lookUp(MAX_STATEMENT_VALUES / 2), dialect).values).toHaveLength(MAX_STATEMENT_VALUES)
})

test('a long list is split into chunks in order, without loss', () => {
  expect([...chunks([1, 2, 3, 4, 5], 2)]).toEqual([[1, 2], [3, 4], [5]])
  expect([...chunks([], 2)]).toEqual([])
})

test.each(['sqlite', 'postgres'] as const)(
  'a prepared query writes every column of a row that it spreads on %s',
  (dialect) => {
    const insert = prepare((row: { one: string; other: string }) => db.insertInto('items').values({ ...row }))
    const { sql, bind } = insert.statement(dialect, { one: 'a', other: 'b' })
    expect(sql).toContain('("one", "other")')
    expect(bind({ other: 'd', one: 'c' })).toEqual(['c', 'd'])
  },
)

test('a prepared query has a placeholder for a property that the first values lack', () => {
  const find = prepare((params: { one?: string }) =>
    db
      .selectFrom('items')
      .selectAll()
      .where('one', '=', params.one as string),
  )
  expect(find.statement('sqlite', {}).bind({ one: 'a' })).toEqual(['a'])
})

test('SQLite has no row locks, but distinct rows', () => {
  const query = db.selectFrom('items').select('one').distinct().forUpdate()
  expect(compile(query, 'sqlite').sql.trim()).toBe('select distinct "one" from "items"')
  expect(compile(query, 'postgres').sql).toBe('select distinct "one" from "items" for update')
})
