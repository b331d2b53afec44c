const SHAPE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/
const WITHOUT_ZONE = /T[\d:.]+$/

/** The moment that a text of ISO 8601 names. One without a zone is in UTC: several clients send such. */
export const parseTimestamp = (text: string): Date => new Date(WITHOUT_ZONE.test(text) ? `${text}Z` : text)

/** Whether a text is a date, or a date and time, as ISO 8601 writes them, and names a moment that exists. */
export function isTimestamp(text: string): boolean {
  return SHAPE.test(text) && isStorable(parseTimestamp(text)) && isRealDay(text.slice(0, 10))
}

// Times are stored as text that sorts, which takes years of four digits; an offset can lead out of them.
function isStorable(moment: Date): boolean {
  const year = moment.getUTCFullYear()
  return year >= 1 && year <= 9999
}

// Date.parse takes February 30th for March 2nd.
function isRealDay(day: string): boolean {
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}
