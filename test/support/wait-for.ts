import { setImmediate as nextTurn } from 'node:timers/promises'

const MAX_WAIT_MILLISECONDS = 15_000

/** Polls every event-loop tick until the condition holds. For work that notifies no caller. */
export async function waitFor<Seen>(
  look: () => Seen | Promise<Seen>,
  isIt: (seen: NoInfer<Seen>) => boolean,
): Promise<Seen> {
  const givesUpAt = performance.now() + MAX_WAIT_MILLISECONDS
  for (;;) {
    const seen = await look()
    if (isIt(seen)) return seen
    if (performance.now() > givesUpAt) throw new Error(`Waited in vain; last seen: ${JSON.stringify(seen)}`)
    await nextTurn()
  }
}
