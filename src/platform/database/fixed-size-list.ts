const FIXED_LIST_LENGTH = 25

/** Values with the names 0, 1 and so on. */
export type FixedList = Record<number, string>

/**
 * A list of values in a prepared query. A list of any length would have to be compiled each time, which takes longer
 * than running it.
 */
export const fixedListValues = (slots: FixedList): string[] =>
  Array.from({ length: FIXED_LIST_LENGTH }, (_, slot) => slots[slot] as string)

/** Splits values into lists of the fixed size. The last value fills the rest of a shorter list. */
export function* toFixedLists(values: readonly string[]): Iterable<FixedList> {
  for (let start = 0; start < values.length; start += FIXED_LIST_LENGTH) {
    const slots: FixedList = {}
    for (let slot = 0; slot < FIXED_LIST_LENGTH; slot++) slots[slot] = (values[start + slot] ?? values.at(-1)) as string
    yield slots
  }
}
