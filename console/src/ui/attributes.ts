/** The attributes of a listing or product: a name, and its entries. */
export type Attributes = Readonly<Record<string, readonly unknown[]>>

const names = new Intl.DisplayNames(undefined, { type: 'language' })

/** `German` for `de_DE`. */
export function languageName(tag: string): string {
  try {
    return names.of(tag.split(/[_-]/)[0] ?? tag) ?? tag
  } catch {
    return tag
  }
}

/** The languages in which entries are written, such as `de_DE`. */
export function languagesOf(attributes: Attributes): string[] {
  const tags = Object.values(attributes).flatMap((entries) => entries.flatMap((entry) => languageOf(entry) ?? []))
  return [...new Set(tags)].sort()
}

/** Leaves out entries in other languages, and attributes that have no other. */
export function inLanguage(attributes: Attributes, tag: string | undefined): Attributes {
  if (tag === undefined) return attributes
  const kept = Object.entries(attributes).map(
    ([name, entries]) => [name, entries.filter((entry) => (languageOf(entry) ?? tag) === tag)] as const,
  )
  return Object.fromEntries(kept.filter(([, entries]) => entries.length > 0))
}

export function languageOf(entry: unknown): string | undefined {
  if (typeof entry !== 'object' || entry === null || !('language_tag' in entry)) return undefined
  return typeof entry.language_tag === 'string' ? entry.language_tag : undefined
}

/** The value of an entry, or all of it if it has no single value. Where it applies is known from the page. */
export function describeEntry(entry: unknown): string {
  if (typeof entry !== 'object' || entry === null) return String(entry)
  const { marketplace_id: _, language_tag: __, ...rest } = entry as Record<string, unknown>
  const single = rest.value ?? rest.media_location
  return typeof single === 'string' || typeof single === 'number' ? String(single) : JSON.stringify(rest)
}
