import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'

const MAX_WAIT_MILLISECONDS = 60_000
const FIRST_POLLS = 50
const POLL_MILLISECONDS = 5

/**
 * Polls until the condition holds. For work that notifies no caller. The first polls follow at once, later ones leave
 * the core to the process that does the work.
 */
export async function waitFor<Seen>(
  look: () => Seen | Promise<Seen>,
  isIt: (seen: NoInfer<Seen>) => boolean,
): Promise<Seen> {
  const givesUpAt = performance.now() + MAX_WAIT_MILLISECONDS
  for (let polls = 0; ; polls++) {
    const seen = await look()
    if (isIt(seen)) return seen
    if (performance.now() > givesUpAt) throw new Error(`Timed out; last value: ${JSON.stringify(seen)}`)
    await (polls < FIRST_POLLS ? nextTurn() : pause(POLL_MILLISECONDS))
  }
}
