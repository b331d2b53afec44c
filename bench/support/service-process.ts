import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { freePort } from '../../test/support/free-port.ts'
import { stopChild, watchChild } from './child.ts'

const SOUK = fileURLToPath(new URL('../../bin/souk.js', import.meta.url))
const START_WITHIN_MILLISECONDS = 20_000
const LOOK_EVERY_MILLISECONDS = 5

export interface ServiceOptions {
  databaseUrl: string
  /** For documents and logs. It is created. */
  folder: string
  poolSize: number
}

/** Starts `souk serve` and `souk worker`, which share a database and a folder of documents. */
export async function configureService({ databaseUrl, folder, poolSize }: ServiceOptions) {
  mkdirSync(folder)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    ...process.env,
    SOUK_DATABASE_URL: databaseUrl,
    SOUK_DATABASE_POOL: String(poolSize),
    SOUK_DOCUMENTS_URL: pathToFileURL(folder).href,
    SOUK_PUBLIC_URL: url,
    SOUK_OPERATOR_KEY: 'an-operator-key-for-the-bench',
    SOUK_SIGNING_SECRET: 'a-signing-secret-for-the-bench',
    SOUK_HOST: '127.0.0.1',
    SOUK_PORT: String(port),
    // Several workers run at once.
    SOUK_WORKER_PORT: '0',
    SOUK_RATES: 'off',
    SOUK_DRAIN_SECONDS: '0',
  }
  let started = 0

  async function start(command: string, ready: string, args: readonly string[] = []) {
    const logFile = join(folder, `${command}-${++started}.log`)
    const log = openSync(logFile, 'w')
    const child = spawn(process.execPath, [SOUK, command, ...args], { stdio: ['ignore', log, 2], env })
    closeSync(log)
    watchChild(child)
    const givesUpAt = performance.now() + START_WITHIN_MILLISECONDS
    while (!readFileSync(logFile, 'utf8').includes(ready)) {
      if (child.exitCode !== null || performance.now() > givesUpAt) {
        await stopChild(child)
        throw new Error(`souk ${command} did not start:\n${readFileSync(logFile, 'utf8')}`)
      }
      await sleep(LOOK_EVERY_MILLISECONDS)
    }
    return { pid: child.pid as number, [Symbol.asyncDispose]: () => stopChild(child) }
  }

  return {
    url,
    startServe: (args: readonly string[] = []) =>
      start('serve', args.length > 0 ? 'all processes listening' : 'server listening', args),
    startWorker: () => start('worker', 'worker started'),
  }
}
