const SLOTS = 25

/** So many values under the names 0, 1 and so on. */
export type Slots = Record<number, string>

/**
 * Stands for a list of values in a prepared query. A list of any length would have to be compiled anew each time, which
 * takes longer than to run it.
 */
export const everySlot = (slots: Slots): string[] => Array.from({ length: SLOTS }, (_, slot) => slots[slot] as string)

/** Values, as many at a time as there are slots. Where there are fewer, the last one fills the rest. */
export function* inSlots(values: readonly string[]): Iterable<Slots> {
  for (let start = 0; start < values.length; start += SLOTS) {
    const slots: Slots = {}
    for (let slot = 0; slot < SLOTS; slot++) slots[slot] = (values[start + slot] ?? values.at(-1)) as string
    yield slots
  }
}
