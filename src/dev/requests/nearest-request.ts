import type { RequestChange } from '../../platform/errors/explanation.ts'
import type { Entry } from './entry.ts'
import { jsonOf, pathOf } from './entry-view.ts'
import type { Explanation } from './schema.ts'

type NearestRequest = NonNullable<Explanation['nearest']>

/** The refused request with the change of a rule. */
export function nearestRequest(entry: Entry, change: RequestChange): NearestRequest {
  const { method = entry.method, headers = {}, replace = {}, notBefore, first } = change
  const query = replaceIn(changeQuery(entry, change.query ?? {}), replace)
  const body = changeBody(entry, change)
  const sent = Object.entries(headers).filter((pair): pair is [string, string] => pair[1] !== null)
  return {
    method,
    url: replaceIn(change.path ?? pathOf(entry), replace) + (query && `?${query}`),
    ...(sent.length > 0 && { headers: Object.fromEntries(sent) }),
    ...(body !== undefined && { body }),
    ...(notBefore && { notBefore: notBefore.toISOString() }),
    ...(first !== undefined && { first }),
  }
}

function changeQuery({ url }: Entry, changes: Readonly<Record<string, string | null>>): string {
  const start = url.indexOf('?')
  const before = start === -1 ? '' : url.slice(start + 1)
  if (Object.keys(changes).length === 0) return before
  const query = new URLSearchParams(before)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) query.delete(name)
    else query.set(name, value)
  }
  // Lists are easier to read so, and every client may send them so.
  return query.toString().replaceAll('%2C', ',').replaceAll('%3A', ':')
}

/** Undefined if the body stays as it is. */
function changeBody({ requestBody }: Entry, { body: changes, replace = {} }: RequestChange): unknown {
  const sent = jsonOf(requestBody)
  if (changes) {
    let changed: unknown = sent ?? {}
    for (const [path, value] of Object.entries(changes)) changed = path === '' ? value : setAt(changed, path, value)
    return changed
  }
  if (sent === undefined) return undefined
  const before = JSON.stringify(sent)
  const after = JSON.stringify(sent, (_key, value) =>
    typeof value === 'string' && Object.hasOwn(replace, value) ? replace[value] : value,
  )
  return before === after ? undefined : JSON.parse(after)
}

/** Whole values only: between slashes, commas, and the signs of a query. */
function replaceIn(text: string, values: Readonly<Record<string, string>>): string {
  return text
    .split(/([/,&=]|%2C)/)
    .map((part) => {
      const value = decode(part)
      return Object.hasOwn(values, value) ? encodeURIComponent(values[value] as string) : part
    })
    .join('')
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** `orders[0].items[1].sku` as its keys. */
export const keysOf = (path: string): string[] => path.match(/[^.[\]"]+/g) ?? []

/** What is at a field path, or undefined. */
export function valueAt(value: unknown, path: string): unknown {
  let found = value
  for (const key of keysOf(path)) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined
    found = found[key as keyof typeof found]
  }
  return found
}

function setAt(value: unknown, path: string, replacement: unknown): unknown {
  const keys = keysOf(path)
  const copy = structuredClone(value)
  let parent: unknown = copy
  for (const key of keys.slice(0, -1)) parent = isParent(parent) ? parent[key] : undefined
  const last = keys.at(-1)
  if (!isParent(parent) || last === undefined) return copy
  if (replacement !== null) parent[last] = replacement
  else if (Array.isArray(parent)) parent.splice(Number(last), 1)
  else delete parent[last]
  return copy
}

const isParent = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
