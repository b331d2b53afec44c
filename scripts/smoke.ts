// Starts the stand-in as a user does, creates a report, and stops it by stopping npm.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fetchToken } from '../bench/support/demo-client.ts'
import { readReport } from './read-report.ts'

const folder = mkdtempSync(join(tmpdir(), 'souk-smoke-'))
const npm = spawn('npm', ['start', '--', '--port', '0', '--data', folder], {
  stdio: ['ignore', 'pipe', 'inherit'],
  detached: true,
})
const output = createInterface({ input: npm.stdout })
try {
  const url = await addressIn(output)
  // The worker is a separate file in the built package, and only a report proves that it is found.
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
