import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { afterAll, afterEach, inject } from 'vitest'
import { NODE_COMPILE_CACHE } from './compile-cache.ts'

const ENDS_WITHIN_MILLISECONDS = 60_000

export interface ProcessOptions {
  /** Settings of the process. It inherits no SOUK_ variable from the test run. */
  env?: Record<string, string>
  cwd?: string
}

export interface ExitResult {
  code: number | null
  stdout: string
  stderr: string
}

export type { SoukProcess }

const running = new Set<SoukProcess>()
const folders: string[] = []

// Stops processes that a failed test left running.
afterEach(async () => {
  for (const souk of running) souk.signal('SIGKILL')
  await Promise.all([...running].map((souk) => souk.ended))
})
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** Starts a command that runs until it is stopped, at most until the end of the test. */
export function startSoukProcess(args: readonly string[], options?: ProcessOptions): SoukProcess {
  const souk = new SoukProcess(args, options)
  running.add(souk)
  void souk.ended.then(() => running.delete(souk))
  return souk
}

/** Runs a command to its end. */
export function runSouk(args: readonly string[], options?: ProcessOptions): Promise<ExitResult> {
  return new SoukProcess(args, options, ENDS_WITHIN_MILLISECONDS).ended
}

/** The real command, bundled as published, in its own process. */
class SoukProcess {
  readonly ended: Promise<ExitResult>
  readonly #child: ChildProcessByStdio<null, Readable, Readable>
  #stdout = ''
  #stderr = ''
  #hasEnded = false

  constructor(args: readonly string[], { env = {}, cwd = tmpdir() }: ProcessOptions = {}, timeout?: number) {
    this.#child = spawn(process.execPath, [inject('soukCommand'), ...args], {
      cwd,
      env: { ...withoutSettings(process.env), NODE_COMPILE_CACHE, ...TEST_SETTINGS[args[0] ?? ''], ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(timeout !== undefined && { timeout, killSignal: 'SIGKILL' }),
    })
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text
    })
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text
    })
    this.ended = once(this.#child, 'close').then(([code]) => {
      this.#hasEnded = true
      return { code, stdout: this.#stdout, stderr: this.#stderr }
    })
  }

  /** Resolves once standard output matches the pattern. */
  async waitFor(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.#stdout)
      if (found) return found
      if (this.#hasEnded) throw new Error(`souk exited without printing ${pattern}: ${this.#stdout}${this.#stderr}`)
      await Promise.race([once(this.#child.stdout, 'data'), this.ended])
    }
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name)
  }

  stop(name: NodeJS.Signals = 'SIGTERM'): Promise<ExitResult> {
    this.signal(name)
    return this.ended
  }
}

/** Starts `souk dev` on a free port; resolves once it is ready. */
export async function startDev(dataFolder: string, ...args: string[]): Promise<{ souk: SoukProcess; url: string }> {
  const souk = startSoukProcess(['dev', '--quiet', '--port', '0', '--data', dataFolder, ...args])
  const [, url = ''] = await souk.waitFor(/^souk \S+ at (http:\S+)$/m)
  return { souk, url }
}

/** A folder that is deleted after the tests. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'souk-cli-'))
  folders.push(folder)
  return folder
}

/** Most tests have no load balancer, and several workers. */
const TEST_SETTINGS: Record<string, NodeJS.ProcessEnv> = {
  serve: { SOUK_DRAIN_SECONDS: '0' },
  worker: { SOUK_WORKER_PORT: '0', SOUK_HOST: '127.0.0.1' },
}

function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('SOUK_')))
}
