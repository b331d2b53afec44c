import { Command } from 'commander'
import { expect, test } from 'vitest'
import { addDevCommand } from '../../src/cli/dev.ts'
import { addRunCommand } from '../../src/cli/run.ts'
import { CLIENT_VARIABLES, DEV_VARIABLES } from '../../src/config/ignored-variables.ts'
import { VARIABLES } from '../../src/config/variables.ts'
import { documentedRows } from './documented-rows.ts'

const rows = documentedRows('configuration.md')

test('docs/configuration.md has a row for every SOUK_ variable, and no other rows', () => {
  const documented = rows.map(([name]) => name as string).filter((name) => name.startsWith('SOUK_'))
  expect(documented.sort()).toEqual([...VARIABLES, ...CLIENT_VARIABLES, ...DEV_VARIABLES].sort())
})

test('docs/configuration.md has a row for every option of souk dev and souk run with its default, and no other rows', () => {
  const program = new Command()
  addDevCommand(program)
  addRunCommand(program)
  const existing = program.commands.flatMap(({ options }) =>
    options.map(({ flags, defaultValue }) => [flags, renderDefault(defaultValue)]),
  )
  const documented = rows.filter(([name]) => name?.startsWith('--')).map(([flags, standard]) => [flags, standard])
  expect(documented.sort()).toEqual(existing.sort())
})

function renderDefault(value: unknown): string {
  if (value === undefined) return 'none'
  return value === false ? 'off' : `\`${value}\``
}
