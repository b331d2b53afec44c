import { closeSync, openSync, readFileSync } from 'node:fs'

/**
 * Whether Ctrl+C on a terminal reaches this process, and so the commands that it started. That does not depend on its
 * input or output, which may be files.
 */
export function receivesTerminalSignals(): boolean {
  // There, these signals come from the console only.
  if (process.platform === 'win32') return true
  try {
    // The terminal of the session, if it has one.
    closeSync(openSync('/dev/tty', 'r'))
  } catch {
    return false
  }
  return process.platform !== 'linux' || isInForeground(readFileSync('/proc/self/stat', 'utf8'))
}

/** By the text of `/proc/<pid>/stat`: whether the process is of the group in the foreground of its terminal. */
export function isInForeground(stat: string): boolean {
  // The name of the program, in parentheses, may contain anything.
  const [, , group, , , foregroundGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return group === foregroundGroup
}
