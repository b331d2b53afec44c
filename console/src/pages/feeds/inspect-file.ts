import { LISTINGS_FEED } from '../../api/feed-types.ts'

export interface FileInspection {
  /** The feed type that the content suggests. */
  feedType?: string
  messages?: number
  /** The seller that the document names. */
  sellerId?: string
  /** Why the feed will probably fail. */
  problem?: string
}

/** Parsing more would freeze the page. */
const MAX_PARSED_BYTES = 8 * 1024 * 1024
const HEAD_BYTES = 4096

/** Looks at a file before it is submitted. */
export async function inspectFile(file: File): Promise<FileInspection> {
  if (file.size === 0) return { problem: 'The file is empty.' }
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  if (first === 0x1f && second === 0x8b) return { problem: 'The file is compressed. Feeds are not.' }
  const head = await file.slice(0, HEAD_BYTES).text()
  if (/^\s*</.test(head)) return inspectXml(head)
  if (!/^\s*[{[]/.test(head)) return {}
  if (file.size > MAX_PARSED_BYTES) return { feedType: LISTINGS_FEED }
  return { feedType: LISTINGS_FEED, ...inspectJson(await file.text()) }
}

const XML_FEEDS: Record<string, string> = {
  OrderFulfillment: 'POST_ORDER_FULFILLMENT_DATA',
  OrderAcknowledgement: 'POST_ORDER_ACKNOWLEDGEMENT_DATA',
}

function inspectXml(head: string): FileInspection {
  const [, messageType = ''] = /<MessageType>\s*(\w+)/.exec(head) ?? []
  const [, sellerId] = /<MerchantIdentifier>\s*(\w+)/.exec(head) ?? []
  const feedType = XML_FEEDS[messageType]
  return { ...(feedType && { feedType }), ...(sellerId && { sellerId }) }
}

function inspectJson(text: string): FileInspection {
  try {
    const { header, messages } = JSON.parse(text)
    if (!Array.isArray(messages)) return { problem: 'The document has no list of messages.' }
    return { messages: messages.length, ...(typeof header?.sellerId === 'string' && { sellerId: header.sellerId }) }
  } catch (error) {
    return { problem: `The document is not JSON: ${error instanceof Error ? error.message : error}` }
  }
}
