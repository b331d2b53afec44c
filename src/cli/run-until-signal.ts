const STOP_WITHIN_MILLISECONDS = 10_000
const LOOK_FOR_PARENT_EVERY_MILLISECONDS = 200

/**
 * Starts something, waits to be told to stop, and stops it cleanly; a second signal, or a stop that hangs, ends the
 * process at once. It listens before it starts: whoever reads that we are ready may send the signal right away.
 */
export async function runUntilSignal(start: () => Promise<() => Promise<void>>): Promise<void> {
  const toldToStop = Promise.race([nextSignal(), orphanedByNpm()])
  const stop = await start()
  await toldToStop
  const forced = nextSignal().then(() => 'forced' as const)
  const late = new Promise<'late'>((resolve) => setTimeout(() => resolve('late'), STOP_WITHIN_MILLISECONDS).unref())
  const outcome = await Promise.race([stop(), forced, late])
  if (outcome === undefined) return
  console.error(outcome === 'forced' ? 'souk: stopped at once' : 'souk: could not finish in time, stopped')
  process.exit(1)
}

function nextSignal(): Promise<void> {
  return new Promise((resolve) => {
    const heard = () => {
      process.off('SIGINT', heard)
      process.off('SIGTERM', heard)
      resolve()
    }
    process.on('SIGINT', heard)
    process.on('SIGTERM', heard)
  })
}

/**
 * npm runs a script in a shell, and a signal sent to npm ends that shell without reaching us. Whoever killed
 * `npm start` meant the server, so we stop when the parent that we were started by is gone.
 */
function orphanedByNpm(): Promise<void> {
  if (!process.env.npm_lifecycle_event) return new Promise(() => {})
  const parent = process.ppid
  return new Promise((resolve) => {
    const watch = setInterval(() => {
      if (process.ppid === parent) return
      clearInterval(watch)
      resolve()
    }, LOOK_FOR_PARENT_EVERY_MILLISECONDS)
    watch.unref()
  })
}
