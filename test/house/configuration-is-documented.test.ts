import { Command } from 'commander'
import { expect, test } from 'vitest'
import { addDevCommand } from '../../src/cli/dev.ts'
import { VARIABLES } from '../../src/config/env.ts'
import { documentedRows } from './documented-rows.ts'

const rows = documentedRows('configuration.md')

test('docs/configuration.md has a row for every SOUK_ variable, and no other rows', () => {
  const documented = rows.map(([name]) => name as string).filter((name) => name.startsWith('SOUK_'))
  expect(documented.sort()).toEqual([...VARIABLES].sort())
})

test('docs/configuration.md has a row for every option of souk dev with its default, and no other rows', () => {
  const program = new Command()
  addDevCommand(program)
  const existing = program.commands.flatMap(({ options }) =>
    options.map(({ flags, defaultValue }) => [flags, defaultValue === false ? 'off' : `\`${defaultValue}\``]),
  )
  const documented = rows.filter(([name]) => name?.startsWith('--')).map(([flags, standard]) => [flags, standard])
  expect(documented.sort()).toEqual(existing.sort())
})
