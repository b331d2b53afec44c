import { Command, CommanderError } from 'commander'
import { version } from '../composition/version.ts'
import { addCtlCommand } from './ctl.ts'
import { addDemoCommand } from './demo.ts'
import { addDevCommand } from './dev.ts'
import { addGradeCommand } from './grade.ts'
import { addMigrateCommand } from './migrate.ts'
import { addOpenApiCommand } from './openapi.ts'
import { addRunCommand } from './run.ts'
import { addServeCommand } from './serve.ts'
import { addTlsCommand } from './tls.ts'
import { formatError } from './user-error.ts'
import { addWorkerCommand } from './worker.ts'

const EXIT_FAILURE = 1
const EXIT_USAGE = 2

/** Runs the command that the arguments of the process name. */
export async function runCommandLine(): Promise<void> {
  // The reader of our output may stop reading (`souk dev | head`), which must not crash the process.
  process.stdout.on('error', () => {})

  const program = new Command('souk')
    .description("The marketplace's side of a seller integration, self-hosted.")
    .version(version, '-V, --version')
    .showHelpAfterError('Run with --help for usage.')
    .exitOverride()

  for (const add of [
    addDevCommand,
    addRunCommand,
    addGradeCommand,
    addServeCommand,
    addWorkerCommand,
    addMigrateCommand,
    addCtlCommand,
    addTlsCommand,
    addDemoCommand,
    addOpenApiCommand,
  ]) {
    add(program)
  }
  for (const command of program.commands) {
    command.exitOverride().version(version, '-V, --version').showHelpAfterError('Run with --help for usage.')
  }

  try {
    await program.parseAsync()
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : EXIT_USAGE
    } else {
      console.error(`souk: ${formatError(error)}`)
      process.exitCode = EXIT_FAILURE
    }
  }
}
