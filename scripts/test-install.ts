// Installs Souk as operators and developers do, and has each install make a report: a clone without dev dependencies, one
// that was built, the packed package alone, and the package in a new project with a client. Tests what is committed.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { fetchToken } from '../bench/support/demo-client.ts'
import { checkCiExamples } from './check-ci-examples.ts'
import { checkFirstUse, FIRST_USE_PACKAGES } from './check-first-use.ts'
import { checkPackage, TOOLS } from './check-package.ts'
import { readReport } from './read-report.ts'

const repository = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'souk-install-'))
// Without what the npm that runs this script set, and with its Node.js: an install has none of its own.
const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|SOUK_|NODE_ENV$)/i.test(name))),
  PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
}

try {
  const archive = pack()
  const [source, packed, tools, first] = await Promise.all([
    installClone(),
    install('packed', archive),
    install('tools', ...TOOLS),
    install('first', archive, ...FIRST_USE_PACKAGES),
  ])
  refuseDevDependencies(source)
  if (!existsSync(join(source, 'node_modules/.bin/souk'))) throw new Error('npx souk would install the clone')
  await tryOut('a clone without dev dependencies', join(source, 'bin/souk.js'))
  // As after `npm ci` and `npm prune --omit=dev`: CI has run the first of them.
  cpSync(join(packed, 'node_modules/souk/dist'), join(source, 'dist'), { recursive: true })
  await tryOut('a clone that was built and pruned', join(source, 'bin/souk.js'))
  await tryOut('the packed package', join(packed, 'node_modules/souk/bin/souk.js'))
  const installed = { project: packed, archive, repository, env }
  checkPackage(installed, tools)
  await checkCiExamples(installed)
  checkFirstUse({ ...installed, project: first })
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function pack(): string {
  // In CI, npm ci has just built. A copy, because packing changes package.json for a moment, and other stages read it.
  const isBuilt = process.env.CI === 'true' && existsSync(join(repository, 'dist/cli/main.js'))
  const options = ['--silent', '--pack-destination', folder]
  if (isBuilt) {
    const copy = clone('packing')
    cpSync(join(repository, 'dist'), join(copy, 'dist'), { recursive: true })
    run(copy, process.execPath, join(repository, 'scripts/packed-manifest.ts'), 'trim')
    run(copy, 'npm', 'pack', ...options, '--ignore-scripts')
  } else run(repository, 'npm', 'pack', ...options)
  return join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) as string)
}

function clone(name: string): string {
  const copy = join(folder, name)
  run(repository, 'git', 'clone', '--quiet', '.', copy)
  return copy
}

async function installClone(): Promise<string> {
  const installed = clone('clone')
  await npm(installed, 'ci', '--omit=dev')
  return installed
}

/** Installs packages in a new folder, as a user does. */
async function install(name: string, ...packages: string[]): Promise<string> {
  const project = join(folder, name)
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "private": true }')
  await npm(project, 'install', ...packages)
  return project
}

function run(cwd: string, command: string, ...args: string[]): void {
  execFileSync(command, args, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] })
}

async function npm(cwd: string, ...args: string[]): Promise<void> {
  const options = ['--prefer-offline', '--no-audit', '--no-fund']
  const child = spawn('npm', [...args, ...options], { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`npm ${args.join(' ')} ended with ${code}`)
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
