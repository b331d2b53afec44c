/** A URL without encoded NUL characters, read once: clients choose it. */
export function withoutNul(url: string): string {
  const kept: string[] = []
  for (const character of url) {
    kept.push(character)
    // What was around one may be another: `%0%000`.
    if (character === '0' && kept.at(-2) === '0' && kept.at(-3) === '%') kept.length -= 3
  }
  return kept.join('')
}
