import { flushCompileCache } from 'node:module'

// Longer than the server gives requests under way, so that the rest is closed properly too.
const STOP_WITHIN_MILLISECONDS = 15_000
const PARENT_CHECK_INTERVAL_MILLISECONDS = 200
// After the requests that a start is followed by: their code is kept too, and they need not wait.
const KEEP_COMPILED_AFTER_MILLISECONDS = 3_000

const never = new Promise<never>(() => {})

/** What runs until a signal. */
export interface Running {
  /** Resolves when clients had time to leave; absent where there are none. */
  drain?(): Promise<unknown>
  stop(): Promise<void>
}

/**
 * Starts something, waits for a signal, and stops it cleanly; a second signal, or a stop that hangs, ends the process
 * at once. It listens before it starts: a reader of the line that it is ready may send the signal right away.
 */
export async function runUntilSignal(
  start: () => Promise<Running>,
  /**
   * Resolves when the process that started this one has it stop. That process forces it to stop by its own end, and not by a
   * signal: Ctrl-C and systemd send one to every process, beside the request to stop.
   */
  stopRequestedByParent?: Promise<void>,
): Promise<void> {
  const stopRequested = Promise.race([nextSignal(), orphanedByNpm(), stopRequestedByParent ?? never])
  const { drain, stop } = await start()
  // Node.js keeps what it has compiled for the next start when a process ends, but not when it is killed.
  setTimeout(flushCompileCache, KEEP_COMPILED_AFTER_MILLISECONDS).unref()
  await stopRequested
  const secondSignal = nextSignal()
  const forced = stopRequestedByParent ? never : secondSignal.then(() => 'forced' as const)
  const result = await Promise.race([drain?.().then(() => stopWithDeadline(stop)) ?? stopWithDeadline(stop), forced])
  if (result === undefined) return
  console.error(result === 'forced' ? 'souk: forced to stop' : 'souk: shutdown timed out')
  process.exit(1)
}

function stopWithDeadline(stop: () => Promise<void>): Promise<'late' | undefined> {
  const late = new Promise<'late'>((resolve) => setTimeout(() => resolve('late'), STOP_WITHIN_MILLISECONDS).unref())
  return Promise.race([stop().then(() => undefined), late])
}

function nextSignal(): Promise<void> {
  return new Promise((resolve) => {
    const onSignal = () => {
      process.off('SIGINT', onSignal)
      process.off('SIGTERM', onSignal)
      resolve()
    }
    process.on('SIGINT', onSignal)
    process.on('SIGTERM', onSignal)
  })
}

/**
 * npm runs a script in a shell, and a signal sent to npm ends that shell without reaching us. A signal to
 * `npm start` is meant for the server, so the server stops when its parent process is gone.
 */
function orphanedByNpm(): Promise<void> {
  if (!process.env.npm_lifecycle_event) return never
  const parent = process.ppid
  return new Promise((resolve) => {
    const watch = setInterval(() => {
      if (process.ppid === parent) return
      clearInterval(watch)
      resolve()
    }, PARENT_CHECK_INTERVAL_MILLISECONDS)
    watch.unref()
  })
}
