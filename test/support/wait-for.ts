import { setImmediate as nextTurn } from 'node:timers/promises'

const LONGEST_MILLISECONDS = 15_000

/** Looks again, turn by turn, until it sees what it looks for. For what happens on its own and tells nobody. */
export async function waitFor<Seen>(
  look: () => Seen | Promise<Seen>,
  isIt: (seen: NoInfer<Seen>) => boolean,
): Promise<Seen> {
  const givesUpAt = performance.now() + LONGEST_MILLISECONDS
  for (;;) {
    const seen = await look()
    if (isIt(seen)) return seen
    if (performance.now() > givesUpAt) throw new Error(`Waited in vain; last seen: ${JSON.stringify(seen)}`)
    await nextTurn()
  }
}
