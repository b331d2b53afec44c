import type { Command } from 'commander'

const SEPARATOR = '--'

/** The command of the user behind `--`. Without that, an option could be one of Souk's or one of the command's. */
export function requireCommand(words: string[], argv: readonly string[], self: Command): [string, ...string[]] {
  const separatorAt = argv.indexOf(SEPARATOR)
  const command = separatorAt === -1 ? [] : argv.slice(separatorAt + 1)
  const stray = words.slice(0, words.length - command.length)
  const unknownOption = stray.find((word) => word.startsWith('-'))
  if (unknownOption !== undefined && separatorAt !== -1) self.error(`error: unknown option '${unknownOption}'`)
  if (stray.length > 0) {
    self.error(`error: -- is missing before the command: souk ${self.name()} -- ${[...stray, ...command].join(' ')}`)
  }
  const [file, ...args] = command
  if (!file) return self.error(`error: the command is missing: souk ${self.name()} -- <command> [arguments...]`)
  return [file, ...args]
}
