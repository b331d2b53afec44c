// Makes a release of the current branch: docs/releasing.md.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  closeUnreleased,
  nextVersion,
  setArchiveName,
  setDocumentVersion,
  setLockVersion,
  setManifestVersion,
} from './release-text.ts'

const OUTPUT = 'release'
const USAGE = 'usage: npm run release -- <major|minor|patch|1.2.3> [--dry-run] [--checks <command>]'

try {
  release()
} catch (error) {
  console.error(`release: ${(error as Error).message}`)
  process.exitCode = 1
}

function release(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'dry-run': { type: 'boolean', default: false },
      checks: {
        type: 'string',
        default: 'npm audit --omit=dev --audit-level=high && npm run check && npm test && npm run test:install',
      },
    },
  })
  const [wanted] = positionals
  if (wanted === undefined || positionals.length > 1) throw new Error(USAGE)
  const version = nextVersion(JSON.parse(readFileSync('package.json', 'utf8')).version, wanted)
  const tag = `v${version}`
  if (git('status', '--porcelain') !== '') throw new Error('The working tree has changes: commit or remove them first.')
  if (git('tag', '--list', tag) !== '') throw new Error(`The tag ${tag} exists.`)
  const date = new Date().toISOString().slice(0, 10)
  const { changelog, notes } = closeUnreleased(readFileSync('CHANGELOG.md', 'utf8'), version, date)
  const files = changedFiles(version, changelog)
  const isSigned = spawnSync('git', ['config', 'user.signingkey']).status === 0

  console.log(`${tag} (${date})\n\n${notes}\n`)
  if (values['dry-run']) {
    console.log(`Would run: ${values.checks}`)
    console.log(`Would change: ${Object.keys(files).join(', ')}`)
    console.log(`Would commit and tag ${tag}${isSigned ? ', signed' : ''}, and write to ${OUTPUT}/`)
    return
  }
  if (spawnSync(values.checks, { shell: true, stdio: 'inherit' }).status !== 0) throw new Error('The checks failed.')
  try {
    for (const [path, text] of Object.entries(files)) writeFileSync(path, text)
    writeArtifacts()
    git('commit', '--quiet', '--all', '--message', `chore(release): ${version}`)
  } catch (error) {
    git('restore', ...Object.keys(files))
    throw error
  }
  // Markdown headings would otherwise count as comments.
  git(
    'tag',
    isSigned ? '--sign' : '--annotate',
    '--cleanup=whitespace',
    '--message',
    `souk ${version}\n\n${notes}`,
    tag,
  )
  console.log(`Released ${tag} into ${OUTPUT}/. Next: git push --follow-tags`)
}

function changedFiles(version: string, changelog: string): Record<string, string> {
  const change = (path: string, to: (text: string, version: string) => string) => ({
    [path]: to(readFileSync(path, 'utf8'), version),
  })
  const pages = ['README.md', ...readdirSync('docs').map((name) => join('docs', name))]
  const naming = pages.filter((path) => path.endsWith('.md') && /souk-\d/.test(readFileSync(path, 'utf8')))
  return {
    'CHANGELOG.md': changelog,
    ...change('package.json', setManifestVersion),
    ...change('package-lock.json', setLockVersion),
    ...change('openapi/openapi.json', setDocumentVersion),
    ...change('openapi/control-plane.json', setDocumentVersion),
    ...Object.assign({}, ...naming.map((path) => change(path, setArchiveName))),
  }
}

/** The package, its bill of materials with the bundled packages, and their checksums. */
function writeArtifacts(): void {
  if (existsSync(OUTPUT)) rmSync(OUTPUT, { recursive: true })
  mkdirSync(OUTPUT)
  run('npm', 'pack', '--silent', '--pack-destination', OUTPUT)
  const bill = run('npm', 'sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only')
  const [archive] = readdirSync(OUTPUT) as [string]
  writeFileSync(join(OUTPUT, archive.replace('.tgz', '.cdx.json')), bill)
  const sums = readdirSync(OUTPUT).map((name) => {
    const sum = createHash('sha256').update(readFileSync(join(OUTPUT, name)))
    return `${sum.digest('hex')}  ${name}\n`
  })
  writeFileSync(join(OUTPUT, 'SHA256SUMS'), sums.join(''))
}

function git(...args: string[]): string {
  return run('git', ...args).trim()
}

function run(command: string, ...args: string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 2 ** 26 })
}
