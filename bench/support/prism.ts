import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { stopChild, watchChild } from './child.ts'
import { logProgress } from './progress.ts'

const VERSION = '5.16.0'
const MAX_INSTALL_MILLISECONDS = 5 * 60 * 1000
const START_WITHIN_MILLISECONDS = 30_000
const LOOK_EVERY_MILLISECONDS = 20
const folder = fileURLToPath(new URL(`../../node_modules/.cache/prism-${VERSION}`, import.meta.url))
const document = fileURLToPath(new URL('../../openapi/openapi.json', import.meta.url))

export interface PrismProcess extends AsyncDisposable {
  url: string
  pid: number
}

/** Starts Prism with our OpenAPI document, and resolves with its first response. Undefined if it cannot be installed. */
export async function startPrism(path: string): Promise<PrismProcess | undefined> {
  const program = installPrism()
  if (!program) return undefined
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const args = [program, 'mock', document, '--port', String(port), '--host', '127.0.0.1', '--verboseLevel', 'silent']
  const child = spawn(process.execPath, args, { stdio: 'ignore' })
  watchChild(child)
  const giveUpAt = performance.now() + START_WITHIN_MILLISECONDS
  while (performance.now() < giveUpAt && child.exitCode === null) {
    const answer = await fetch(url + path, { method: 'POST' }).catch(() => undefined)
    if (answer) return { url, pid: child.pid as number, [Symbol.asyncDispose]: () => stopChild(child) }
    await sleep(LOOK_EVERY_MILLISECONDS)
  }
  await stopChild(child)
  logProgress('skipped: Prism did not start')
  return undefined
}

/** It is no dependency of ours: a few hundred packages, for one figure. */
export function installPrism(): string | undefined {
  const program = join(folder, 'node_modules/@stoplight/prism-cli/dist/index.js')
  if (existsSync(program)) return program
  logProgress(`Installing @stoplight/prism-cli ${VERSION} into ${folder}, for this figure only`)
  mkdirSync(folder, { recursive: true })
  const { status } = spawnSync(
    'npm',
    ['install', '--silent', '--no-audit', '--no-fund', '--prefix', folder, `@stoplight/prism-cli@${VERSION}`],
    {
      cwd: folder,
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32',
      timeout: MAX_INSTALL_MILLISECONDS,
    },
  )
  if (status === 0 && existsSync(program)) return program
  logProgress('skipped: Prism cannot be installed here')
  return undefined
}

async function findFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
