import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { stopChild, watchChild } from './child.ts'

const SOUK = fileURLToPath(new URL('../../bin/souk.js', import.meta.url))
const START_WITHIN_MILLISECONDS = 20_000
const LOOK_EVERY_MILLISECONDS = 2

export interface SoukProcess extends AsyncDisposable {
  url: string
  /** The URL of the local queue. */
  queueUrl: string
  pid: number
  stop(): Promise<void>
}

/** Runs `souk dev` on a data folder. Its log goes to a file, as in real life: what is measured includes writing it. */
export async function startSouk(
  dataFolder: string,
  options: string[] = [],
  env: Record<string, string> = {},
): Promise<SoukProcess> {
  mkdirSync(dataFolder, { recursive: true })
  const logFile = join(dataFolder, 'souk.log')
  const log = openSync(logFile, 'w')
  const child = spawn(process.execPath, [SOUK, 'dev', '--port', '0', '--data', dataFolder, ...options], {
    stdio: ['ignore', log, 2],
    env: { ...process.env, ...env },
  })
  closeSync(log)
  watchChild(child)
  const stop = () => stopChild(child)
  try {
    const { url, queueUrl } = await waitForAddresses(
      logFile,
      () => child.exitCode === null && child.signalCode === null,
    )
    return { url, queueUrl, pid: child.pid as number, stop, [Symbol.asyncDispose]: stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function waitForAddresses(logFile: string, isRunning: () => boolean) {
  const giveUpAt = performance.now() + START_WITHIN_MILLISECONDS
  while (isRunning() && performance.now() < giveUpAt) {
    const said = readFileSync(logFile, 'utf8')
    const [, url] = /^ +address +(http:\S+)\n/m.exec(said) ?? []
    const [, queueUrl] = /^ +local queue +(http:\S+)\n/m.exec(said) ?? []
    if (url !== undefined && queueUrl !== undefined) return { url, queueUrl }
    await sleep(LOOK_EVERY_MILLISECONDS)
  }
  throw new Error(`souk dev did not start:\n${readFileSync(logFile, 'utf8')}`)
}
