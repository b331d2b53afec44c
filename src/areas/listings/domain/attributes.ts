export type Entry = Record<string, unknown>
/** By name; each is a list of entries, told apart by their selectors. */
export type Attributes = Record<string, readonly Entry[]>

export const PATCH_OPERATIONS = ['add', 'replace', 'merge', 'delete'] as const
export type PatchOperation = (typeof PATCH_OPERATIONS)[number]

export interface Patch {
  op: PatchOperation
  attribute: string
  /** Needed for all but delete. */
  value?: readonly Entry[]
}

/**
 * The entries that are meant for a marketplace, each with its name on it: an entry that names none is meant for every
 * marketplace of the request.
 */
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

/** The attribute after the patch; undefined when it is gone. The entries are those of one marketplace. */
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

/** What entries are compared by. By key rather than each with each: a request has room for a hundred thousand of them. */
const keyBy = (selectors: readonly string[]) => (entry: Entry) => JSON.stringify(selectors.map((name) => entry[name]))

/**
 * An entry joins the one with the same selectors, key by key, or stands beside the others. Where several have the same,
 * as bullet points do, those given take the place of those that were there.
 */
function merge(before: readonly Entry[], entries: readonly Entry[], selectors: readonly string[]): Entry[] {
  const merged = Map.groupBy(before, keyBy(selectors))
  for (const [key, given] of Map.groupBy(entries, keyBy(selectors))) {
    const there = merged.get(key)
    merged.set(key, there?.length === 1 && given.length === 1 ? [{ ...there[0], ...given[0] }] : given)
  }
  return [...merged.values()].flat()
}

/** What is left without the entries whose selectors are among those given. An entry may leave selectors open. */
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
    return (one: Entry) => keys.has(keyOf(one))
  })
  const left = (before ?? []).filter((one) => !tests.some((isNamed) => isNamed(one)))
  return left.length === 0 ? undefined : left
}
