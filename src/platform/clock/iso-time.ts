let lastTime = Number.NaN
let lastText = ''

/**
 * The time as `Date.toISOString` writes it. A listing of a feed is stored with six times, most of which are the same
 * millisecond, and writing one takes as long as a small statement of SQLite.
 */
export function toIsoTime(date: Date): string {
  const time = date.getTime()
  if (time !== lastTime) {
    lastText = date.toISOString()
    lastTime = time
  }
  return lastText
}
