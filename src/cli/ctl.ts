import type { Command } from 'commander'
import { standardError } from './standard-error.ts'

export function addCtlCommand(program: Command): void {
  program
    .command('ctl')
    .description('Control a running souk dev: clock, state, acts and behavior')
    .argument('[words...]')
    // The inner program has the options and the help, and is loaded only if it is used.
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async (_words: string[], _options: object, command: Command) => {
      const { runCtl } = await import('./ctl/program.ts')
      process.exitCode = await runCtl(wordsAfter(command.name(), process.argv), {
        env: process.env,
        output: {
          out: (text) => process.stdout.write(`${text}\n`),
          isOutTerminal: process.stdout.isTTY ?? false,
          ...standardError,
        },
      })
    })
}

/** The words as the user wrote them: commander would remove some, such as `--`. */
const wordsAfter = (name: string, argv: readonly string[]) => argv.slice(argv.indexOf(name) + 1)
