import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { startSoukProcess, temporaryFolder } from '../support/souk-process.ts'

/** Runs in the process before all else, and prints what it has loaded when it ends. */
const RECORDER = `
import { registerHooks } from 'node:module'
const files = []
registerHooks({ load(url, context, next) { files.push(url); return next(url, context) } })
process.on('exit', () => console.log('loaded ' + JSON.stringify({ files, builtIn: process.moduleLoadList })))
`

/** The dependencies of every start. All others are for some requests, some settings or other commands. */
const ALWAYS_LOADED = ['ajv', 'commander', 'fastify', 'kysely', 'light-my-request', 'pino', 'typebox']
/** Imports of node:http, node:crypto and node:util would load the first three. */
const UNUSED_BUILT_IN = [
  'internal/deps/undici/undici',
  'internal/crypto/webcrypto',
  'internal/util/parse_args/parse_args',
  'http2',
  'https',
  'tls',
  'zlib',
]
const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: object }

test('souk dev starts with a few files, and without what many of its users never use', async () => {
  const souk = startSoukProcess(['dev', '--port', '0', '--data', temporaryFolder()], {
    env: { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(RECORDER)}` },
  })
  await souk.waitFor(/Press Ctrl\+C/)
  const { stdout } = await souk.stop()
  const { files, builtIn } = JSON.parse(/^loaded (.*)$/m.exec(stdout)?.[1] ?? '') as Record<string, string[]>

  const paths = (files ?? []).filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url))
  const own = paths.filter((path) => !packageOf(path))
  expect(own.length).toBeGreaterThan(3)
  expect(own.length).toBeLessThan(25)
  // The bundle names the files that it was made of.
  const sources = own.flatMap((path) => readFileSync(path, 'utf8').match(/^\/\/ .+\.[cm]?[jt]s$/gm) ?? [])
  expect(packagesOf(sources).filter((name) => name in dependencies)).toEqual(ALWAYS_LOADED)
  expect(packagesOf(paths)).toEqual(['better-sqlite3'])
  expect(builtIn).toContain('NativeModule http')
  expect(UNUSED_BUILT_IN.filter((name) => builtIn?.includes(`NativeModule ${name}`))).toEqual([])
})

const packagesOf = (paths: readonly string[]) => [...new Set(paths.flatMap((path) => packageOf(path) ?? []))].sort()

const packageOf = (path: string) =>
  /^.*\bnode_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(path)?.[1]?.replaceAll('\\', '/')
