// Checks of the packed package in a project that has nothing else.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { ABSENT } from './bundle.ts'
import { findOlderNode } from './older-node.ts'

export interface PackedPackage {
  /** A folder in which the package is installed. */
  project: string
  /** The file that `npm pack` wrote. */
  archive: string
  repository: string
  env: NodeJS.ProcessEnv
}

/** What the checks need, in a folder of their own. */
export const TOOLS = ['typescript@5.9.3', '@arethetypeswrong/cli@0.18.5', 'publint@0.3.25', 'dockerfile-utils@0.16.3']
const MAX_INSTALLED_MEBIBYTES = 60
// Run with the code of the package: the API and the worker on PostgreSQL with S3, and the stand-in with its queue.
const PROCESS_TESTS = ['test/cli/documents-in-s3.test.ts', 'test/cli/tour.test.ts']

export function checkPackage(packed: PackedPackage, tools: string): void {
  const { project, archive, repository, env } = packed
  const run = (what: string, command: string, args: string[], { cwd = project, extra = {} } = {}): string => {
    const { status, stdout, stderr } = spawnSync(command, args, { cwd, env: { ...env, ...extra }, encoding: 'utf8' })
    if (status !== 0) throw new Error(`${what}: ${stdout}${stderr}`)
    return stdout
  }
  JSON.parse(run('npx souk', 'npx', ['--no-install', 'souk', 'demo', '--json']))

  writeFileSync(join(project, 'use.mts'), USE)
  run('startSouk', process.execPath, ['use.mts'])
  const older = findOlderNode()
  if (older) checkOlderNode(older, packed, 'souk')
  for (const node of [process.execPath, ...(older ? [older] : [])]) checkRedirect(node, packed)

  const bin = (name: string) => join(tools, 'node_modules/.bin', name)
  run('publint', bin('publint'), ['--strict', archive])
  run('attw', bin('attw'), ['--profile', 'esm-only', archive])
  const problems = run('dockerfile-utils', bin('dockerfile-utils'), ['lint', join(repository, 'Containerfile')])
  if (problems.trim()) throw new Error(`Containerfile: ${problems}`)
  for (const compiler of [bin('tsc'), join(repository, 'node_modules/.bin/tsc')]) {
    for (const options of typeOptions(repository)) {
      run(`${compiler} ${options.join(' ')}`, compiler, ['--noEmit', '--strict', ...options, 'use.mts'])
    }
  }
  const dist = join(project, 'node_modules/souk/dist')
  checkImports(dist, join(project, 'node_modules/souk/package.json'))
  checkNotices(dist)
  const [kibibytes] = run('du', 'du', ['-sk', '.']).split('\t')
  const mebibytes = Number(kibibytes) / 1024
  if (mebibytes > MAX_INSTALLED_MEBIBYTES) throw new Error(`The installed package takes ${mebibytes} MiB`)

  const extra = { TEST_SOUK_COMMAND: join(project, 'node_modules/souk/dist/cli/main.js') }
  run('tests of processes', 'npx', ['vitest', 'run', '--config', 'vitest.processes.config.ts', ...PROCESS_TESTS], {
    cwd: repository,
    extra,
  })
  console.log(`test:install: the packed package takes ${mebibytes.toFixed(1)} MiB, its types and its commands work`)
}

const USE = `import { ManualClock, startSouk, type SoukOptions } from 'souk'

const options: SoukOptions = { rates: 'off', clock: new ManualClock('2026-01-01T00:00:00Z') }
const souk = await startSouk(options)
const id: string = souk.demo.clientId
souk.clock.advance(1000)
await souk.reset()
await souk.stop()

// @ts-expect-error There is no such option.
const misspelled: SoukOptions = { rate: id }
// @ts-expect-error This is for Souk's own tests.
const internal: SoukOptions = { extraRoutes: [] }
`

/** Of a project with the strictest settings, which also checks the types of packages: with and without Node's types. */
function typeOptions(repository: string): string[][] {
  const strictest = ['--skipLibCheck', 'false', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes']
  const settings = ['--target', 'es2022', ...strictest]
  const node = ['--types', 'node', '--typeRoots', join(repository, 'node_modules/@types')]
  return [
    [...settings, '--module', 'nodenext', '--moduleResolution', 'nodenext'],
    [...settings, '--module', 'esnext', '--moduleResolution', 'bundler'],
    [...settings, '--module', 'nodenext', '--moduleResolution', 'nodenext', '--lib', 'es2022', ...node],
  ]
}

export function checkOlderNode(node: string, { project, env }: PackedPackage, entrance: string): void {
  const code = `import('${entrance}').catch((error) => console.log(error.message))`
  const { stdout, stderr } = spawnSync(node, ['-e', code], { cwd: project, env, encoding: 'utf8' })
  if (
    !/^souk needs Node\.js [\d.]+ or newer; this is [\d.]+ \(.+\)\. For one project: npm .+\n$/.test(stdout) ||
    stderr
  ) {
    throw new Error(`import '${entrance}' with an unsupported Node.js: ${stdout}${stderr}`)
  }
}

/** It is loaded into programs of others, which may run on an older Node.js. */
function checkRedirect(node: string, { project, env }: PackedPackage): void {
  const args = ['--import', 'souk/redirect', '-e', '']
  const { status, stderr } = spawnSync(node, args, { cwd: project, env, encoding: 'utf8' })
  if (status !== 0 || !/^souk\/redirect: requests [^\n]+\n$/.test(stderr)) {
    throw new Error(`${node} --import souk/redirect: ${stderr}`)
  }
}

/** Parts are loaded when they are needed, so a package that was left out would be missed long after the start. */
function checkImports(dist: string, manifest: string): void {
  const { dependencies } = JSON.parse(readFileSync(manifest, 'utf8'))
  for (const { file, text } of readCode(dist)) {
    const imported = text.matchAll(/^(?:import|export)\b[^'"`;]*?["']([^"']+)["'];$/gm)
    const required = text.matchAll(/\b__require\("([^"]+)"\)/g)
    for (const [, module = ''] of [...imported, ...required]) {
      const [, name = ''] = /^((?:@[^/]+\/)?[^/]+)/.exec(module) ?? []
      if (!module.startsWith('.') && !isBuiltin(module) && !(name in dependencies) && !ABSENT.includes(name)) {
        throw new Error(`${file} imports ${module}, which is neither bundled nor a dependency`)
      }
    }
  }
}

/** Most licenses require that copies of the code contain them. */
function checkNotices(dist: string): void {
  const notices = readFileSync(join(dist, 'THIRD-PARTY-NOTICES.txt'), 'utf8')
  const noted = new Set([...notices.matchAll(/^-{80}\n\n(\S+) \S+ \(.+\)$/gm)].map(([, name]) => name))
  // The bundle names the files that it was made of.
  const files = readCode(dist).flatMap(({ text }) => text.match(/^\/\/ .+\.[cm]?js$/gm) ?? [])
  const names = new Set(files.flatMap((file) => /.*\bnode_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []))
  const missing = [...names].filter((name) => !noted.has(name))
  if (names.size === 0 || missing.length > 0)
    throw new Error(`There is no license of ${missing.join(', ')} in the package`)
}

function readCode(dist: string) {
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' })
  return files
    .filter((name) => /^(chunks|cli|worker|index)\b.*\.js$/.test(name))
    .map((file) => ({ file, text: readFileSync(join(dist, file), 'utf8') }))
}
