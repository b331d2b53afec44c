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

/** Of installed packages, those that the stand-in uses for some requests, some settings or other commands only. */
const ON_DEMAND = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', 'light-my-request', 'pg']

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
  expect(packagesOf(sources)).toEqual(['kysely', 'typebox'])
  expect(packagesOf(paths)).toContain('fastify')
  expect(packagesOf(paths).filter((name) => ON_DEMAND.includes(name))).toEqual([])
  // The WebSocket client of Node.js, which an import of node:http would load.
  expect(builtIn).toContain('NativeModule http')
  expect(builtIn).not.toContain('NativeModule internal/deps/undici/undici')
})

const packagesOf = (paths: readonly string[]) => [...new Set(paths.flatMap((path) => packageOf(path) ?? []))].sort()

const packageOf = (path: string) =>
  /^.*\bnode_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(path)?.[1]?.replaceAll('\\', '/')
