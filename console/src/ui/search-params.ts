/** The values of a list in the address that are known, or undefined if there are none. Addresses can be typed by hand. */
export function knownValues<Value extends string>(given: unknown, known: readonly Value[]): Value[] | undefined {
  const list = Array.isArray(given) ? given : [given]
  const values = known.filter((value) => list.includes(value))
  return values.length > 0 ? values : undefined
}

export function knownValue<Value extends string>(given: unknown, known: readonly Value[]): Value | undefined {
  return known.find((value) => value === given)
}

export const textValue = (given: unknown): string | undefined =>
  typeof given === 'string' && given !== '' ? given : undefined

/** A time in ISO 8601. */
export const timeValue = (given: unknown): string | undefined =>
  typeof given === 'string' && !Number.isNaN(Date.parse(given)) ? new Date(given).toISOString() : undefined

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** A day such as `2026-02-28`. The 30th of February is none. */
export function dayValue(given: unknown): string | undefined {
  if (typeof given !== 'string' || !DAY.test(given)) return undefined
  const time = new Date(`${given}T00:00:00Z`)
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(given) ? given : undefined
}
