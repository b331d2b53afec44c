import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { createGunzip } from 'node:zlib'
import { demo } from '../../src/dev/demo/index.ts'
import { fetchToken } from './demo-client.ts'
import { sendProbe } from './probe.ts'

const REPORTS = '/reports/2021-06-30/reports'
const DOCUMENTS = '/reports/2021-06-30/documents'
const LOOK_EVERY_MILLISECONDS = 20

export interface MadeReport {
  reportId: string
  documentId: string
  /** From the request to the first response with status DONE. */
  milliseconds: number
  /** The duration of each getReport. */
  lookMilliseconds: number[]
}

export type ReportClient = Awaited<ReturnType<typeof createReportClient>>

/** A client of the demo seller that has reports of its returns made. */
export async function createReportClient(url: string) {
  const token = await fetchToken(url)
  const headers = { 'x-amz-access-token': token, 'content-type': 'application/json' }

  async function call<Result>(path: string, init: RequestInit = {}): Promise<Result> {
    const response = await fetch(url + path, { ...init, headers })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Result
  }

  function look(reportId: string, everyMilliseconds: number, isLast: (answer: string, count: number) => boolean) {
    const lines = [`GET ${REPORTS}/${reportId} HTTP/1.1`, `host: ${new URL(url).host}`, `x-amz-access-token: ${token}`]
    return sendProbe({ url, request: Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), everyMilliseconds, isLast })
  }

  return {
    async makeReport(
      window: { dataStartTime: string; dataEndTime: string },
      lookEveryMilliseconds = LOOK_EVERY_MILLISECONDS,
    ): Promise<MadeReport> {
      const startedAt = performance.now()
      const { reportId } = await call<{ reportId: string }>(REPORTS, {
        method: 'POST',
        body: JSON.stringify({
          reportType: 'GET_FLAT_FILE_RETURNS_DATA_BY_RETURN_DATE',
          marketplaceIds: [demo.marketplaceId],
          ...window,
        }),
      })
      const lookMilliseconds = await look(reportId, lookEveryMilliseconds, (answer) => !isUnderWay(answer))
      const milliseconds = performance.now() - startedAt
      const report = await call<{ reportDocumentId: string }>(`${REPORTS}/${reportId}`)
      return { reportId, documentId: report.reportDocumentId, milliseconds, lookMilliseconds }
    },

    /** Requests a finished report the given number of times. Returns the duration of each. */
    async lookAt(reportId: string, everyMilliseconds: number, times: number): Promise<number[]> {
      return look(reportId, everyMilliseconds, (_, count) => count === times)
    },

    async hashOfText(documentId: string): Promise<string> {
      const document = await call<{ url: string }>(`${DOCUMENTS}/${documentId}`)
      const { body } = await fetch(document.url)
      return hashOfGzip(Readable.fromWeb(body as ReadableStream<Uint8Array>))
    },
  }
}

function isUnderWay(answer: string): boolean {
  if (/"processingStatus":"(IN_QUEUE|IN_PROGRESS)"/.test(answer)) return true
  if (answer.includes('"processingStatus":"DONE"')) return false
  throw new Error(`The report was not made:\n${answer}`)
}

/** A digest of what was compressed: two that compress the same text need not write the same bytes. */
export async function hashOfGzip(compressed: Readable): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(compressed, createGunzip(), async (text: AsyncIterable<Buffer>) => {
    for await (const chunk of text) hash.update(chunk)
  })
  return hash.digest('hex')
}
