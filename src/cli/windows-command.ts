import { win32 } from 'node:path'

/** What to start on Windows, for the options of `spawn`. */
export interface WindowsCommand {
  file: string
  args: string[]
  windowsVerbatimArguments: boolean
}

const DEFAULT_EXTENSIONS = '.COM;.EXE;.BAT;.CMD'
const BATCH_FILE = /\.(bat|cmd)$/i
const META_CHARACTERS = /[()\][%!^"`<>&|;, *?]/g

/**
 * Finds a command as a shell of Windows does. npm, npx and the commands in node_modules/.bin are batch files, which only
 * cmd.exe can run. Undefined if there is no such command.
 */
export function toWindowsCommand(
  [name, ...args]: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
  isFile: (path: string) => boolean,
): WindowsCommand | undefined {
  const file = candidates(name, env).find(isFile)
  if (file === undefined) return undefined
  if (!BATCH_FILE.test(file)) return { file, args, windowsVerbatimArguments: false }
  const line = [escapeMeta(file), ...args.map(escapeArgument)].join(' ')
  return {
    file: variable(env, 'COMSPEC') ?? 'cmd.exe',
    args: ['/d', '/s', '/c', `"${line}"`],
    windowsVerbatimArguments: true,
  }
}

function candidates(name: string, env: NodeJS.ProcessEnv): string[] {
  const folders = /[\\/:]/.test(name) ? [''] : ['.', ...(variable(env, 'PATH') ?? '').split(';').filter(Boolean)]
  const known = (variable(env, 'PATHEXT') ?? DEFAULT_EXTENSIONS).split(';').filter(Boolean)
  const hasExtension = known.some((extension) => name.toLowerCase().endsWith(extension.toLowerCase()))
  // npm installs a shell script without an extension next to each batch file.
  const extensions = hasExtension ? [''] : known.map((extension) => extension.toLowerCase())
  return folders.flatMap((folder) => extensions.map((extension) => win32.join(folder, name + extension)))
}

/** Names of variables ignore case on Windows, but not in a copy of the environment. */
function variable(env: NodeJS.ProcessEnv, name: string): string | undefined {
  return Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1]
}

/**
 * First for the program, which divides its command line at spaces outside of quotes and reads `\"` as a quote; then for
 * cmd.exe, twice: a batch file inserts its arguments into lines that cmd.exe parses again.
 */
function escapeArgument(text: string): string {
  const quoted = `"${text.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, '$1$1')}"`
  return escapeMeta(escapeMeta(quoted))
}

const escapeMeta = (text: string) => text.replace(META_CHARACTERS, '^$&')
