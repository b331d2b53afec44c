// Installs Souk as operators do, without dev dependencies, and has each install make a report: a clone, a clone that was
// built and pruned, and the packed package in a folder of its own. Tests what is committed.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { fetchToken } from '../bench/support/demo-client.ts'
import { checkCiExamples } from './check-ci-examples.ts'
import { checkPackage } from './check-package.ts'
import { readReport } from './read-report.ts'

const repository = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'souk-install-'))
// Without what the npm that runs this script set, and with its Node.js: an install has none of its own.
const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|SOUK_|NODE_ENV$)/i.test(name))),
  PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
}

try {
  const clone = join(folder, 'clone')
  run(repository, 'git', 'clone', '--quiet', '.', clone)
  npm(clone, 'ci', '--omit=dev')
  refuseDevDependencies(clone)
  await tryOut('a clone without dev dependencies', join(clone, 'bin/souk.js'))

  npm(clone, 'ci')
  npm(clone, 'prune', '--omit=dev')
  refuseDevDependencies(clone)
  if (!existsSync(join(clone, 'dist/cli/main.js'))) throw new Error('npm ci did not build')
  await tryOut('a clone that was built and pruned', join(clone, 'bin/souk.js'))

  const packed = join(folder, 'packed')
  mkdirSync(packed)
  npm(repository, 'pack', '--silent', '--pack-destination', folder)
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz')) as string
  writeFileSync(join(packed, 'package.json'), '{ "private": true }')
  npm(packed, 'install', join(folder, archive))
  await tryOut('the packed package', join(packed, 'node_modules/souk/bin/souk.js'))
  const installed = { project: packed, archive: join(folder, archive), repository, env }
  checkPackage(installed)
  await checkCiExamples(installed)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function run(cwd: string, command: string, ...args: string[]): void {
  execFileSync(command, args, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] })
}

function npm(cwd: string, ...args: string[]): void {
  run(cwd, 'npm', ...args, '--prefer-offline', '--no-audit', '--no-fund')
}

/** Otherwise the machine hides what an install lacks. */
function refuseDevDependencies(clone: string): void {
  for (const name of ['rolldown', 'vitest', '@biomejs/biome']) {
    if (existsSync(join(clone, 'node_modules', name))) throw new Error(`${name} was installed`)
  }
}

async function tryOut(what: string, souk: string): Promise<void> {
  const demo = spawnSync(process.execPath, [souk, 'demo', '--json'], { cwd: folder, env, encoding: 'utf8' })
  if (demo.status !== 0) throw new Error(`${what}: souk demo: ${demo.stderr}`)
  JSON.parse(demo.stdout)

  // Nothing listens on port 1, but what speaks to PostgreSQL must be there to find that out.
  const settings = { SOUK_DATABASE_URL: 'postgres://souk@127.0.0.1:1/souk' }
  const migrate = spawnSync(process.execPath, [souk, 'migrate'], { env: { ...env, ...settings }, encoding: 'utf8' })
  if (!migrate.stderr.startsWith('souk: ') || migrate.stderr.includes('    at ')) {
    throw new Error(`${what}: souk migrate: ${migrate.stderr}`)
  }

  const data = mkdtempSync(join(folder, 'data-'))
  const dev = spawn(process.execPath, [souk, 'dev', '--quiet', '--port', '0', '--data', data], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(dev, 'exit')
  try {
    const [line] = (await once(createInterface({ input: dev.stdout }), 'line')) as [string]
    const url = line.slice(line.indexOf('http'))
    const lines = await readReport(url, await fetchToken(url))
    console.log(`test:install: ${what} made a report of ${lines} lines`)
    const isBuilt = existsSync(join(dirname(souk), '../dist'))
    const { status } = await fetch(`${url}/docs/operations`)
    if (status !== (isBuilt ? 200 : 404)) throw new Error(`${what}: the documentation has status ${status}`)
  } finally {
    dev.kill('SIGTERM')
    await ended
  }
}
