import { expect, test } from 'vitest'
import { requiredMigrations } from '../../src/migrations/0038-required-migrations.ts'
import { migrations } from '../../src/migrations/index.ts'

const REMOVES =
  /\bdrop (?!index\b|constraint\b)\w+|\brename\b|\balter column \w+ (type|set not null)\b|\badd constraint\b|\bunique\b/i
const names = migrations.map(({ name }) => name)
const since = migrations.slice(migrations.indexOf(requiredMigrations) + 1)

test('a migration that removes or restricts something names the release that no longer uses it', () => {
  const silent = since.filter(
    (one) =>
      'statements' in one &&
      one.requires === undefined &&
      [...one.statements('postgres'), ...one.statements('sqlite')].some((text) => REMOVES.test(text)),
  )
  expect(silent.map(({ name }) => name)).toEqual([])
})

test('a migration requires an earlier one', () => {
  for (const { name, requires } of since) if (requires) expect(names.slice(0, names.indexOf(name))).toContain(requires)
})

test.each([
  'drop table jobs',
  'alter table jobs drop column attempts',
  'alter table jobs drop attempts',
  'alter table jobs alter column owner set not null',
  'alter table jobs alter column owner drop default',
  'alter table jobs add constraint one_owner check (owner is not null)',
  'create unique index one_owner on jobs (owner)',
])('%s removes or restricts something', (statement) => expect(REMOVES.test(statement)).toBe(true))
