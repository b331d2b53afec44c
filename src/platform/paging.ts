import { ApiError } from './errors/api-error.ts'
import { type Explain, withoutFields } from './errors/explanation.ts'

export interface PageRequest {
  /** The key of the last item on the page before. */
  after?: readonly string[]
  limit: number
}

export interface Page<Item> {
  items: Item[]
  nextToken?: string
}

/** A page token is the key of the last row shown, so that a page costs the same however deep it lies. */
export const encodePageToken = (key: readonly string[]): string =>
  Buffer.from(JSON.stringify(key)).toString('base64url')

export function decodePageToken(token: string, parts: number, explain = fromFirstPage(token)): string[] {
  const key = parseKey(token)
  const valid =
    Array.isArray(key) && key.length === parts && key.every((part) => typeof part === 'string' && !part.includes('\0'))
  if (!valid) throw invalidPageToken(explain)
  return key
}

export const invalidPageToken = (explain?: Explain) =>
  new ApiError('InvalidInput', 'The page token is invalid: it was not issued by this service.', '', {
    ...(explain && { explain }),
  })

/** Without its token, by whichever name, a request gets the first page. */
export const fromFirstPage =
  (pageToken: string): Explain =>
  () => ({ ...withoutFields('pageToken', 'nextToken', 'cursor')(), facts: { pageToken } })

function parseKey(token: string): unknown {
  try {
    return JSON.parse(Buffer.from(token, 'base64url').toString())
  } catch {
    return undefined
  }
}

export interface PageQuery {
  pageSize: number
  pageToken?: string | undefined
}

/** Reads the page that a query asks for. The key of an item has `keyParts` parts; `list` returns the items after a key. */
export async function readPage<Item>(
  { pageSize, pageToken }: PageQuery,
  keyParts: number,
  list: (page: PageRequest) => Promise<Item[]>,
  keyOf: (item: Item) => string[],
): Promise<Page<Item>> {
  const after = pageToken === undefined ? undefined : decodePageToken(pageToken, keyParts)
  return toPage(await list({ limit: pageSize + 1, ...(after && { after }) }), pageSize, keyOf)
}

/** Makes a page of rows that were read with a limit of one more than the page holds. */
export function toPage<Item>(rows: readonly Item[], pageSize: number, keyOf: (item: Item) => string[]): Page<Item> {
  if (rows.length <= pageSize) return { items: [...rows] }
  const items = rows.slice(0, pageSize)
  return { items, nextToken: encodePageToken(keyOf(items[pageSize - 1] as Item)) }
}
