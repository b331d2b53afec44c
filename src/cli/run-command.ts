import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'

const EXIT_NOT_EXECUTABLE = 126
const EXIT_NOT_FOUND = 127
const EXIT_SIGNAL_BASE = 128
// As long as containers get by default.
const STOP_WITHIN_MILLISECONDS = 10_000

// The terminal sends these to the command itself, too.
const TERMINAL_SIGNALS = ['SIGINT', 'SIGQUIT'] as const
const SIGNALS = [...TERMINAL_SIGNALS, 'SIGTERM', 'SIGHUP'] as const
type Signal = (typeof SIGNALS)[number]

/** Runs a command with the terminal, the files and the signals of this process. Resolves with the exit code for it. */
export function runCommand(
  [file, ...args]: [string, ...string[]],
  env: NodeJS.ProcessEnv,
  { stopWithinMilliseconds = STOP_WITHIN_MILLISECONDS } = {},
): Promise<number> {
  // npm and npx are batch files on Windows, which only a shell can run.
  const child = spawn(file, args, { stdio: 'inherit', env, shell: process.platform === 'win32' })
  const stopForwarding = forwardSignals(child, file, stopWithinMilliseconds)
  return new Promise<number>((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => resolve(explainSpawnError(file, error)))
    child.once('exit', (code, signal) => resolve(signal ? EXIT_SIGNAL_BASE + constants.signals[signal] : (code ?? 1)))
  }).finally(stopForwarding)
}

function explainSpawnError(file: string, { code, message }: NodeJS.ErrnoException): number {
  const isMissing = code === 'ENOENT' || code === 'ENOTDIR'
  const reason = isMissing ? 'there is no such command' : code === 'EACCES' ? 'it is not executable' : message
  console.error(`souk run: Cannot run ${file}: ${reason}.`)
  return isMissing ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE
}

/** Souk must outlive the command, so a signal ends the command first. Returns a function that ends the forwarding. */
function forwardSignals(child: ChildProcess, file: string, stopWithinMilliseconds: number): () => void {
  let deadline: NodeJS.Timeout | undefined
  const forward = (signal: Signal) => {
    const isSentByTerminal = (TERMINAL_SIGNALS as readonly string[]).includes(signal) && process.stdin.isTTY
    if (!isSentByTerminal) child.kill(signal)
    if (signal !== 'SIGTERM') return
    deadline ??= setTimeout(() => {
      console.error(`souk run: ${file} did not end within ${stopWithinMilliseconds / 1000} seconds and is killed.`)
      child.kill('SIGKILL')
    }, stopWithinMilliseconds)
  }
  for (const signal of SIGNALS) process.on(signal, forward)
  return () => {
    clearTimeout(deadline)
    for (const signal of SIGNALS) process.off(signal, forward)
  }
}
