const MAX_WORD_LENGTH = 100

/** The words that may have been meant by one that is unknown, nearest first: at most a third of it differs. */
export function findSimilar(word: string, known: readonly string[]): string[] {
  if (word.length > MAX_WORD_LENGTH) return []
  const most = Math.max(1, Math.floor(word.length / 3))
  // The distance is at least the difference in length, which is found at once.
  const possible = known.filter((candidate) => Math.abs(candidate.length - word.length) <= most)
  return rankSimilar(word, possible)
    .filter(({ distance }) => distance <= most)
    .map(({ candidate }) => candidate)
}

/** All known words, nearest first. Case does not count: a name in the wrong case is the nearest of all. */
export function rankSimilar(word: string, known: readonly string[]): { candidate: string; distance: number }[] {
  const wanted = word.slice(0, MAX_WORD_LENGTH).toLowerCase()
  return known
    .map((candidate) => ({ candidate, distance: editDistance(wanted, candidate.toLowerCase()) }))
    .sort((one, other) => one.distance - other.distance)
}

/**
 * How many characters must be inserted, removed, replaced or swapped with their neighbor to make one word of the other
 * (Damerau-Levenshtein, restricted).
 */
export function editDistance(one: string, other: string): number {
  let twoAbove: number[] = []
  let above = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwapped = row > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      current.push(
        Math.min(
          (above[column - 1] as number) + (isSame ? 0 : 1),
          (above[column] as number) + 1,
          (current[column - 1] as number) + 1,
          isSwapped ? (twoAbove[column - 2] as number) + 1 : Infinity,
        ),
      )
    }
    twoAbove = above
    above = current
  }
  return above[other.length] as number
}
