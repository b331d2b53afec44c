import { setTimeout } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { demo } from '../src/dev/demo/index.ts'

const REPORTS = '/reports/2021-06-30/reports'
const DOCUMENTS = '/reports/2021-06-30/documents'
const LOOK_EVERY_MILLISECONDS = 500
const MAX_POLLS = 60

/** Creates and downloads a report. Returns its number of lines. */
export async function readReport(url: string, token: string): Promise<number> {
  const call = async (path: string, init: RequestInit = {}): Promise<Record<string, string>> => {
    const headers = { 'x-amz-access-token': token, 'content-type': 'application/json' }
    const response = await fetch(url + path, { ...init, headers })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Record<string, string>
  }
  const asked = { reportType: 'GET_FLAT_FILE_RETURNS_DATA_BY_RETURN_DATE', marketplaceIds: [demo.marketplaceId] }
  const { reportId } = await call(REPORTS, { method: 'POST', body: JSON.stringify(asked) })
  for (let polls = 0; polls < MAX_POLLS; polls++) {
    const { reportDocumentId } = await call(`${REPORTS}/${reportId}`)
    if (reportDocumentId) {
      const document = await call(`${DOCUMENTS}/${reportDocumentId}`)
      const compressed = await (await fetch(document.url as string)).arrayBuffer()
      return gunzipSync(compressed).toString().trimEnd().split('\n').length
    }
    await setTimeout(LOOK_EVERY_MILLISECONDS)
  }
  throw new Error('The report was not made')
}
