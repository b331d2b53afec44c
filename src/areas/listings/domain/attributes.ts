export type Entry = Record<string, unknown>
/** Lists of entries by attribute name. Selectors distinguish the entries of an attribute. */
export type Attributes = Record<string, readonly Entry[]>

export const PATCH_OPERATIONS = ['add', 'replace', 'merge', 'delete'] as const
export type PatchOperation = (typeof PATCH_OPERATIONS)[number]

export interface Patch {
  op: PatchOperation
  attribute: string
  /** Required except for delete. */
  value?: readonly Entry[]
}

/** Returns the entries for a marketplace. An entry without a marketplace_id applies to every marketplace of the request. */
export function localize(entries: readonly Entry[], marketplaceId: string): Entry[] {
  const own: Entry[] = []
  for (const entry of entries) {
    if (entry.marketplace_id === undefined) own.push({ ...entry, marketplace_id: marketplaceId })
    else if (entry.marketplace_id === marketplaceId) own.push(entry)
  }
  return own
}

export function itemNameOf({ item_name }: Attributes): string | undefined {
  const name = item_name?.[0]?.value
  return typeof name === 'string' ? name : undefined
}

/** Returns the attribute after the patch, or undefined if it is removed. The entries are those of one marketplace. */
export function applyPatch(
  before: readonly Entry[] | undefined,
  op: PatchOperation,
  entries: readonly Entry[] | undefined,
  selectors: readonly string[],
): readonly Entry[] | undefined {
  if (op === 'delete') return entries === undefined ? undefined : without(before, entries, selectors)
  if (op === 'merge') return merge(before ?? [], entries ?? [], selectors)
  return entries
}

/** A key to compare entries by. A request may have 100,000 entries, too many to compare each with each. */
const keyBy = (selectors: readonly string[]) => (entry: Entry) => JSON.stringify(selectors.map((name) => entry[name]))

/**
 * Merges an entry into the stored entry with the same selectors, or adds it. If several entries have the same selectors,
 * as bullet points do, the new ones replace the stored ones.
 */
function merge(before: readonly Entry[], entries: readonly Entry[], selectors: readonly string[]): Entry[] {
  const merged = Map.groupBy(before, keyBy(selectors))
  for (const [key, added] of Map.groupBy(entries, keyBy(selectors))) {
    const stored = merged.get(key)
    merged.set(key, stored?.length === 1 && added.length === 1 ? [{ ...stored[0], ...added[0] }] : added)
  }
  return [...merged.values()].flat()
}

/** Removes the entries that match the selectors of a given entry. An omitted selector matches every value. */
function without(
  before: readonly Entry[] | undefined,
  entries: readonly Entry[],
  selectors: readonly string[],
): Entry[] | undefined {
  const bySelectors = Map.groupBy(entries, (entry) =>
    JSON.stringify(selectors.filter((name) => Object.hasOwn(entry, name))),
  )
  const tests = [...bySelectors].map(([names, alike]) => {
    const keyOf = keyBy(JSON.parse(names))
    const keys = new Set(alike.map(keyOf))
    return (entry: Entry) => keys.has(keyOf(entry))
  })
  const left = (before ?? []).filter((entry) => !tests.some((matches) => matches(entry)))
  return left.length === 0 ? undefined : left
}
