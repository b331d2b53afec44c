import type { RequestChange } from '../../platform/errors/explanation.ts'
import type { Entry } from './entry.ts'
import { jsonOf, pathOf, sentFields } from './entry-view.ts'
import type { Explanation } from './schema.ts'

type Values = Readonly<Record<string, string>>
type NearestRequest = NonNullable<Explanation['nearest']>

/** The refused request with the change of a rule. */
export function nearestRequest(entry: Entry, wanted: RequestChange): NearestRequest {
  const change = placeFields(entry, wanted)
  const { method = entry.method, replace = {}, notBefore, first } = change
  const query = replaceInQuery(changeQuery(entry, change.query ?? {}), replace)
  const body = changeBody(entry, change)
  const isForm = body !== undefined && jsonOf(entry.requestBody) === undefined
  const headers = { ...(isForm && { 'content-type': 'application/json' }), ...change.headers }
  const sent = Object.entries(headers).filter((pair): pair is [string, string] => pair[1] !== null)
  return {
    method,
    url: change.url ?? replaceInPath(change.path ?? pathOf(entry), replace) + (query && `?${query}`),
    ...(sent.length > 0 && { headers: Object.fromEntries(sent) }),
    ...(body !== undefined && { body }),
    ...(notBefore && { notBefore: notBefore.toISOString() }),
    ...(first !== undefined && { first }),
  }
}

/** Rules name fields, and the request has them in its path, its query or its body. */
function placeFields(entry: Entry, { fields = {}, ...change }: RequestChange): RequestChange {
  const { method, params, query } = entry
  const takesBody = isParent(sentFields(entry.requestBody))
  const placed = { replace: { ...change.replace }, query: { ...change.query }, body: { ...change.body } }
  for (const [path, value] of Object.entries(fields)) {
    const [root = ''] = keysOf(path)
    const inPath = valueAt(params, root)
    if (typeof inPath === 'string') placed.replace[inPath] = String(value)
    else if (takesBody && method !== 'GET' && valueAt(query, root) === undefined) placed.body[path] = value
    else placed.query[path] = value === null ? null : [value].flat().join(',')
  }
  const { replace, query: changedQuery, body } = placed
  return { ...change, replace, query: changedQuery, ...(Object.keys(body).length > 0 && { body }) }
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
  const sent = sentFields(requestBody)
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

/** Whole values only, not parts of them. An id that is empty is the end of a path. */
function replaceInPath(path: string, values: Values): string {
  const segments = path.split('/')
  return segments
    .map((segment, index) =>
      segment !== '' || index === segments.length - 1 ? replaceValue(segment, values) : segment,
    )
    .join('/')
}

function replaceInQuery(query: string, values: Values): string {
  return query
    .split('&')
    .map((pair) => {
      const start = pair.indexOf('=') + 1
      if (start === 0) return pair
      const value = pair.slice(start)
      const replaced = replaceValue(value, values)
      if (replaced !== value) return pair.slice(0, start) + replaced
      const elements = value.split(/(,|%2C)/i).map((element) => replaceValue(element, values))
      return pair.slice(0, start) + elements.join('')
    })
    .join('&')
}

function replaceValue(text: string, values: Values): string {
  const value = decode(text)
  return Object.hasOwn(values, value) ? encodeURIComponent(values[value] as string) : text
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
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
