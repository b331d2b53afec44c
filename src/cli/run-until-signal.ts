const STOP_WITHIN_MILLISECONDS = 10_000

/** Waits for SIGINT or SIGTERM, then stops cleanly; a second signal, or a stop that hangs, ends the process at once. */
export async function runUntilSignal(stop: () => Promise<void>): Promise<void> {
  await nextSignal()
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
