const BASIC_DATE = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/

/** Reads a time as AWS signatures write it, `20260601T120000Z`. Undefined for all that is none. */
export function parseBasicDate(text: string): Date | undefined {
  const [, year, month, day, hour, minute, second] = BASIC_DATE.exec(text) ?? []
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(date.getTime()) ? undefined : date
}
