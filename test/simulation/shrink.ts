/**
 * Finds a short part of a failing list that still fails, by leaving out ever smaller pieces of it. Each attempt runs the
 * part, so their number is limited.
 */
export async function shrink<Item>(
  items: readonly Item[],
  fails: (part: readonly Item[]) => Promise<boolean>,
  maxAttempts: number,
): Promise<readonly Item[]> {
  let current = items
  let attempts = 0
  for (let size = Math.ceil(items.length / 2); size >= 1; ) {
    let isShorter = false
    for (let start = 0; start < current.length && attempts < maxAttempts; ) {
      const part = [...current.slice(0, start), ...current.slice(start + size)]
      attempts++
      if (await fails(part)) {
        current = part
        isShorter = true
      } else start += size
    }
    if (attempts >= maxAttempts) return current
    // A piece that was needed before may not be needed without others.
    if (size > 1) size = Math.ceil(size / 2)
    else if (!isShorter) return current
  }
  return current
}
