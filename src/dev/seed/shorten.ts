import { isDeepStrictEqual } from 'node:util'

/** Null means absent in every field of these, also in nested ones. */
export function withoutNulls<Value extends object>(value: Value): Value {
  const kept: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(value)) {
    if (member === null || member === undefined) continue
    kept[name] = Array.isArray(member)
      ? member.map((item) => (typeof item === 'object' && item !== null ? withoutNulls(item) : item))
      : typeof member === 'object'
        ? withoutNulls(member)
        : member
  }
  return kept as Value
}

/** Without the fields that an import would fill in with the same value. */
export function withoutDefaults<Value extends object>(
  value: Value,
  defaults: Partial<Record<keyof Value, unknown>>,
): object {
  return Object.fromEntries(
    Object.entries(value).filter(
      ([name, member]) =>
        !Object.hasOwn(defaults, name) || !isDeepStrictEqual(member, (defaults as Record<string, unknown>)[name]),
    ),
  )
}
