// A stand-in that processes one order feed as large as an upload may be, of empty elements only. Argument: where they are.
// Reports how the feed ended, and its idle and peak memory in megabytes.
import { Readable } from 'node:stream'
import { startSouk } from '../../src/index.ts'
import { watchMemory } from './memory.ts'

const BYTES = 32 * 1024 * 1024
const MAX_MESSAGES = 25_000
const PIECE = 64 * 1024
const TYPE = 'text/xml; charset=UTF-8'

const [place = ''] = process.argv.slice(2)
const souk = await startSouk({ rates: 'off', delay: 0, port: 0 })
const { demo, url } = souk

const call = async (path: string, init: RequestInit = {}): Promise<Record<string, string>> => {
  const response = await fetch(url + path, { duplex: 'half', ...init } as RequestInit)
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as Record<string, string>
}
const { refreshToken: refresh_token, clientId: client_id, clientSecret: client_secret } = demo
const form = { grant_type: 'refresh_token', refresh_token, client_id, client_secret }
const { access_token: token = '' } = await call('/auth/o2/token', { method: 'POST', body: new URLSearchParams(form) })
const headers = { 'x-amz-access-token': token, 'content-type': 'application/json' }
const post = (path: string, body: object) =>
  call(`/feeds/2021-06-30${path}`, { method: 'POST', headers, body: JSON.stringify(body) })

const empty = (bytes: number) => '<a/>'.repeat(Math.floor(bytes / 4))
const START = `<AmazonEnvelope><Header><MerchantIdentifier>${demo.sellerId}</MerchantIdentifier></Header>
<MessageType>OrderFulfillment</MessageType>`
const END = '</AmazonEnvelope>'

/** Without ever being in memory whole. */
function* document(): Generator<string> {
  const rest = BYTES - 1_000
  yield START
  if (place === 'many messages') {
    const content = empty(rest / MAX_MESSAGES - 60)
    for (let id = 1; id <= MAX_MESSAGES; id++) yield `<Message><MessageID>${id}</MessageID>${content}</Message>`
  } else {
    yield '<Message><MessageID>1</MessageID>'
    for (let left = rest; left > 0; left -= PIECE) yield empty(Math.min(PIECE, left))
    yield '</Message>'
  }
  yield END
}

const stop = watchMemory()
process.send?.('started')
const { feedDocumentId, url: uploadUrl = '' } = await post('/documents', { contentType: TYPE })
const body = Readable.toWeb(Readable.from(document()).map((text: string) => Buffer.from(text)))
const uploaded = await fetch(uploadUrl, {
  method: 'PUT',
  headers: { 'content-type': TYPE },
  body,
  duplex: 'half',
} as RequestInit)
if (!uploaded.ok) throw new Error(await uploaded.text())
const feed = { feedType: 'POST_ORDER_FULFILLMENT_DATA', marketplaceIds: [demo.marketplaceId] }
const { feedId } = await post('/feeds', { ...feed, inputFeedDocumentId: feedDocumentId })
await souk.idle()
const { processingStatus } = await call(`/feeds/2021-06-30/feeds/${feedId}`, { headers })
const memory = stop()
process.send?.({ processingStatus, ...memory })
await souk.stop()
process.disconnect?.()
