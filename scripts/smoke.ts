// Starts the stand-in as a user does, has it make a report, and stops it by stopping npm.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { fetchToken } from '../bench/support/demo-client.ts'
import { demo } from '../src/dev/demo/index.ts'

const REPORTS = '/reports/2021-06-30/reports'
const DOCUMENTS = '/reports/2021-06-30/documents'
const LOOK_EVERY_MILLISECONDS = 500
const MOST_LOOKS = 60

const folder = mkdtempSync(join(tmpdir(), 'souk-smoke-'))
const npm = spawn('npm', ['start', '--', '--port', '0', '--data', folder], {
  stdio: ['ignore', 'pipe', 'inherit'],
  detached: true,
})
const output = createInterface({ input: npm.stdout })
try {
  const url = await addressIn(output)
  // The worker is a file of its own in the built package, and only a report shows that it is found.
  const lines = await readReport(url, await fetchToken(url))
  npm.kill('SIGTERM')
  // The server writes to the same pipe, so the pipe closes when the last of them has ended.
  await once(output, 'close', { signal: AbortSignal.timeout(15_000) })
  console.log(`smoke: npm start made a report of ${lines} lines and stopped`)
} finally {
  killWhatIsLeft()
  rmSync(folder, { recursive: true, force: true })
}

/** npm starts a shell that starts the server: killing npm alone would leave the two behind. */
function killWhatIsLeft(): void {
  try {
    process.kill(-(npm.pid as number), 'SIGKILL')
  } catch {
    // All of them have ended.
  }
}

function addressIn(lines: typeof output): Promise<string> {
  return new Promise((resolve, reject) => {
    lines.on('line', (line) => {
      const [, address] = /^ *address +(http\S+)$/.exec(line) ?? []
      if (address) resolve(address)
    })
    lines.once('close', () => reject(new Error('npm start ended before it printed its address')))
  })
}

/** Answers how many lines the report has. */
async function readReport(url: string, token: string): Promise<number> {
  const call = async (path: string, init: RequestInit = {}): Promise<Record<string, string>> => {
    const headers = { 'x-amz-access-token': token, 'content-type': 'application/json' }
    const response = await fetch(url + path, { ...init, headers })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Record<string, string>
  }
  const asked = { reportType: 'GET_FLAT_FILE_RETURNS_DATA_BY_RETURN_DATE', marketplaceIds: [demo.marketplaceId] }
  const { reportId } = await call(REPORTS, { method: 'POST', body: JSON.stringify(asked) })
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
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
