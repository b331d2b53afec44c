import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { inject } from 'vitest'
import { ManualClock, type Souk } from '../../src/index.ts'
import { type StandInOptions, startStandIn } from '../../src/stand-in/stand-in.ts'
import { afterFile } from './after-file.ts'

export interface ProgramResult {
  code: number
  stdout: string
  stderr: string
}

export interface ProgramOptions {
  /** Variables of the program besides those of this process. */
  env?: Record<string, string>
}

const PROJECT = fileURLToPath(new URL('../..', import.meta.url))
const ENDS_WITHIN_MILLISECONDS = 60_000

/** A built module of the package: `index` or `redirect/index`. */
export const builtUrl = (name: string) => pathToFileURL(resolve(inject('soukCommand'), `../../${name}.js`)).href
export const redirectUrl = () => builtUrl('redirect/index')

/**
 * A stand-in for programs in processes of their own. Its clock stands still, so that quotas are used up on a slow machine
 * too, and moves with every request that was throttled.
 */
export async function startSoukForPrograms(options: StandInOptions = {}) {
  const statuses: number[] = []
  const clock = new ManualClock('2026-06-01T12:00:00.000Z')
  const souk = await startStandIn({
    // Clients derive from the rate how long to wait.
    rates: 50,
    clock,
    ...options,
    extraRoutes: [
      (app) =>
        app.addHook('onResponse', (_request, { statusCode }, done) => {
          statuses.push(statusCode)
          if (statusCode === 429) clock.advance(1000)
          done()
        }),
    ],
  })
  afterFile(() => souk.stop())
  return { souk, statuses }
}

/** The variables with which a program finds a stand-in and its credentials. */
export const settingsOf = ({ url, queueUrl, demo }: Souk) => ({
  SOUK_URL: url,
  SOUK_QUEUE_URL: queueUrl,
  LWA_CLIENT_ID: demo.clientId,
  LWA_CLIENT_SECRET: demo.clientSecret,
  LWA_REFRESH_TOKEN: demo.refreshToken,
})

/** Runs the text of a module with `--import souk/redirect`. It may import what the project has installed. */
export function runRedirected(text: string, { env = {} }: ProgramOptions = {}) {
  return runProgram(['--import', redirectUrl(), '--input-type=module', '--eval', text], env)
}

/** Runs the text of a module that imports `souk` and `souk/redirect` itself. */
export function runWithPackage(text: string) {
  const modules = text
    .replaceAll("'souk'", `'${builtUrl('index')}'`)
    .replaceAll("'souk/redirect'", `'${redirectUrl()}'`)
  return runProgram(['--input-type=module', '--eval', modules], {})
}

/** Runs a file of `test/redirect/programs` and returns the JSON that it prints. */
export async function runClient(file: string, souk: Souk): Promise<unknown> {
  const program = resolve(PROJECT, 'test/redirect/programs', file)
  const { code, stdout, stderr } = await runProgram(['--import', redirectUrl(), program], settingsOf(souk))
  if (code !== 0) throw new Error(`${file} ended with ${code}: ${stderr}${stdout}`)
  return JSON.parse(stdout)
}

function runProgram(args: string[], env: Record<string, string>): Promise<ProgramResult> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(SOUK_|NODE_OPTIONS$|AWS_)|_PROXY$/i.test(name))
  const options = {
    cwd: PROJECT,
    env: { ...Object.fromEntries(inherited), ...env },
    timeout: ENDS_WITHIN_MILLISECONDS,
    killSignal: 'SIGKILL' as const,
  }
  return new Promise((resolveResult) => {
    execFile(process.execPath, args, options, (error, stdout, stderr) =>
      resolveResult({ code: error ? Number(error.code ?? -1) : 0, stdout, stderr }),
    )
  })
}
