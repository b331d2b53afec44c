import { type ChildProcess, spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { constants } from 'node:os'
import { EXIT_TIMED_OUT } from '../grade/exit-codes.ts'
import { findDescendants, kill } from './process-tree.ts'
import { receivesTerminalSignals } from './terminal.ts'
import { toWindowsCommand } from './windows-command.ts'

const EXIT_NOT_EXECUTABLE = 126
const EXIT_NOT_FOUND = 127
const EXIT_SIGNAL_BASE = 128
// As long as containers get by default.
const STOP_WITHIN_MILLISECONDS = 10_000

// A terminal sends these to the command itself, too.
const TERMINAL_SIGNALS = ['SIGINT', 'SIGQUIT'] as const
const SIGNALS = [...TERMINAL_SIGNALS, 'SIGTERM', 'SIGHUP'] as const
type Signal = (typeof SIGNALS)[number]

export interface RunCommandOptions {
  /** How long the command has to end after a signal. */
  stopWithinMilliseconds?: number
  /** How long the command may run, with all that it started. Default: without a limit. */
  timeoutSeconds?: number
  /** Called when this process gets a signal to end. */
  onSignal?: () => void
}

/** Runs a command with the terminal, the files and the signals of this process. Resolves with the exit code for it. */
export async function runCommand(
  command: [string, ...string[]],
  env: NodeJS.ProcessEnv,
  { stopWithinMilliseconds = STOP_WITHIN_MILLISECONDS, timeoutSeconds, onSignal }: RunCommandOptions = {},
): Promise<number> {
  const [file] = command
  const found = findCommand(command, env)
  if (!found) return explainSpawnError(file, { code: 'ENOENT' })
  const child = spawn(found.file, found.args, {
    stdio: 'inherit',
    env,
    windowsVerbatimArguments: found.windowsVerbatimArguments,
  })
  const { forward, stopForwarding } = forwardSignals(child, file, { stopWithinMilliseconds, onSignal })
  let late: number[] | undefined
  const limit = timeoutSeconds === undefined ? undefined : setTimeout(stopLate, timeoutSeconds * 1000)
  return new Promise<number>((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => resolve(explainSpawnError(file, error)))
    child.once('exit', (code, signal) => {
      const exitCode = signal ? EXIT_SIGNAL_BASE + constants.signals[signal] : (code ?? 1)
      resolve(late ? EXIT_TIMED_OUT : exitCode)
      for (const pid of late ?? []) kill(pid)
    })
  }).finally(() => {
    clearTimeout(limit)
    stopForwarding()
  })

  function stopLate(): void {
    // What the command started could go on without it.
    late = child.pid === undefined ? [] : findDescendants(child.pid)
    console.error(`souk: ${file} did not end within ${timeoutSeconds} seconds and is stopped.`)
    forward('SIGTERM')
  }
}

function findCommand(command: [string, ...string[]], env: NodeJS.ProcessEnv) {
  if (process.platform === 'win32') return toWindowsCommand(command, env, isFile)
  const [file, ...args] = command
  return { file, args, windowsVerbatimArguments: false }
}

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false

function explainSpawnError(file: string, { code, message = '' }: Partial<NodeJS.ErrnoException>): number {
  const isMissing = code === 'ENOENT' || code === 'ENOTDIR'
  const reason = isMissing ? 'there is no such command' : code === 'EACCES' ? 'it is not executable' : message
  console.error(`souk: Cannot run ${file}: ${reason}.`)
  return isMissing ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE
}

/** Souk must outlive the command, so a signal ends the command first. */
function forwardSignals(
  child: ChildProcess,
  file: string,
  { stopWithinMilliseconds, onSignal }: { stopWithinMilliseconds: number; onSignal: (() => void) | undefined },
) {
  let deadline: NodeJS.Timeout | undefined
  const forward = (signal: Signal) => {
    const isSentByTerminal = (TERMINAL_SIGNALS as readonly string[]).includes(signal) && receivesTerminalSignals()
    if (!isSentByTerminal) child.kill(signal)
    if (signal !== 'SIGTERM') return
    deadline ??= setTimeout(() => {
      console.error(`souk: ${file} did not end within ${stopWithinMilliseconds / 1000} seconds and is killed.`)
      child.kill('SIGKILL')
    }, stopWithinMilliseconds)
  }
  const handle = (signal: Signal) => {
    onSignal?.()
    forward(signal)
  }
  for (const signal of SIGNALS) process.on(signal, handle)
  const stopForwarding = () => {
    clearTimeout(deadline)
    for (const signal of SIGNALS) process.off(signal, handle)
  }
  return { forward, stopForwarding }
}
