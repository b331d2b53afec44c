import { gunzipSync } from 'node:zlib'
import { demo } from '../../src/dev/demo/index.ts'
import { fetchToken } from './demo-client.ts'
import { sendProbe } from './probe.ts'

const FEEDS = '/feeds/2021-06-30/feeds'
const DOCUMENTS = '/feeds/2021-06-30/documents'
const CONTENT_TYPE = 'application/json; charset=UTF-8'
const LOOK_EVERY_MILLISECONDS = 20

export interface ProcessedFeed {
  feedId: string
  /** From createFeed to the first response with status DONE. */
  milliseconds: number
  /** The duration of each getFeed. */
  lookMilliseconds: number[]
  summary: { messagesAccepted: number; messagesProcessed: number; errors: number }
}

export type FeedClient = Awaited<ReturnType<typeof createFeedClient>>

/** A client of the demo seller that has listings documents processed. */
export async function createFeedClient(url: string, refreshToken?: string) {
  const token = await fetchToken(url, refreshToken)
  const headers = { 'x-amz-access-token': token, 'content-type': 'application/json' }

  async function call<Result>(path: string, body?: object): Promise<Result> {
    const init = body ? { method: 'POST', body: JSON.stringify(body) } : {}
    const response = await fetch(url + path, { ...init, headers })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Result
  }

  function look(feedId: string, everyMilliseconds: number, isLast: (answer: string, count: number) => boolean) {
    const lines = [`GET ${FEEDS}/${feedId} HTTP/1.1`, `host: ${new URL(url).host}`, `x-amz-access-token: ${token}`]
    return sendProbe({ url, request: Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), everyMilliseconds, isLast })
  }

  async function upload(document: string): Promise<string> {
    const place = await call<{ feedDocumentId: string; url: string }>(DOCUMENTS, { contentType: CONTENT_TYPE })
    const response = await fetch(place.url, {
      method: 'PUT',
      headers: { 'content-type': CONTENT_TYPE },
      body: document,
    })
    if (!response.ok) throw new Error(`The upload was refused: ${await response.text()}`)
    return place.feedDocumentId
  }

  async function readSummary(documentId: string): Promise<ProcessedFeed['summary']> {
    const result = await call<{ url: string }>(`${DOCUMENTS}/${documentId}`)
    const response = await fetch(result.url)
    return JSON.parse(gunzipSync(await response.arrayBuffer()).toString()).summary
  }

  return {
    async process(document: string, lookEveryMilliseconds = LOOK_EVERY_MILLISECONDS): Promise<ProcessedFeed> {
      const inputFeedDocumentId = await upload(document)
      const feedType = 'JSON_LISTINGS_FEED'
      const startedAt = performance.now()
      const { feedId } = await call<{ feedId: string }>(FEEDS, {
        feedType,
        marketplaceIds: [demo.marketplaceId],
        inputFeedDocumentId,
      })
      const lookMilliseconds = await look(feedId, lookEveryMilliseconds, (answer) => !isUnderWay(answer))
      const milliseconds = performance.now() - startedAt
      const { resultFeedDocumentId } = await call<{ resultFeedDocumentId: string }>(`${FEEDS}/${feedId}`)
      return { feedId, milliseconds, lookMilliseconds, summary: await readSummary(resultFeedDocumentId) }
    },

    /** Requests a finished feed the given number of times. Returns the duration of each. */
    lookAt: (feedId: string, everyMilliseconds: number, times: number) =>
      look(feedId, everyMilliseconds, (_, count) => count === times),
  }
}

function isUnderWay(answer: string): boolean {
  if (/"processingStatus":"(IN_QUEUE|IN_PROGRESS)"/.test(answer)) return true
  if (answer.includes('"processingStatus":"DONE"')) return false
  throw new Error(`The feed was not processed:\n${answer}`)
}
