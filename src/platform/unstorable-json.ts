/** What JSON can say and nothing should have to deal with, and the keys that lead there. */
export interface UnsafeValue {
  path: string[]
  reason: string
}

/**
 * Finds text that would not be read back as it was written: PostgreSQL cannot hold NUL, and half a surrogate pair has no
 * UTF-8. Both can be spelt in JSON, by escapes alone. And finds the key that is no key of an object but its maker.
 */
export function findUnsafeValue(value: unknown): UnsafeValue | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : { path: [], reason: UNSTORABLE }
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) return findUnsafeElement(value)
  // The path is built only for an error: a batch contains many strings.
  for (const [key, child] of Object.entries(value)) {
    if (key === '__proto__') return { path: [key], reason: 'is not allowed as a key' }
    const unsafe = isStorable(key) ? findUnsafeValue(child) : { path: [], reason: UNSTORABLE }
    if (unsafe) return { path: [key, ...unsafe.path], reason: unsafe.reason }
  }
  return undefined
}

/** A megabyte may have a list of 300,000 texts, whose entries with their keys would take a fifth of a second. */
function findUnsafeElement(list: readonly unknown[]): UnsafeValue | undefined {
  for (let index = 0; index < list.length; index++) {
    const unsafe = findUnsafeValue(list[index])
    if (unsafe) return { path: [String(index), ...unsafe.path], reason: unsafe.reason }
  }
  return undefined
}

/** The same without the characters and the keys that are unsafe. The value must not be deep: it is walked by recursion. */
export function withoutUnsafeValues(value: unknown): unknown {
  if (typeof value === 'string') return toStorable(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withoutUnsafeValues)
  const storable = Object.entries(value).map(([key, child]) => [toStorable(key), withoutUnsafeValues(child)] as const)
  // Afterwards: without a character, another key may be this one.
  return Object.fromEntries(storable.filter(([key]) => key !== '__proto__'))
}

const toStorable = (text: string) => text.replace(/\0|\p{Surrogate}/gu, '')

const UNSTORABLE = 'contains a NUL character or an unpaired surrogate'
const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed()
