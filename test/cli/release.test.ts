import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/souk-process.ts'

const SCRIPT = resolve('scripts/release.ts')
const CHANGELOG = '# Changelog\n\n## Unreleased\n\n### Feeds\n\n- News.\n\n## 0.1.0 (2026-01-01)\n\n- First.\n'

/** A repository with the files that a release changes. */
function createRepository(changelog = CHANGELOG) {
  const folder = temporaryFolder()
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim()
  const files = {
    '.gitignore': 'release/\n',
    'CHANGELOG.md': changelog,
    'README.md': 'npm install ../souk/souk-0.1.0.tgz\n',
    'docs/page.md': 'No version.\n',
    'package.json': JSON.stringify({ name: 'souk', version: '0.1.0', files: ['docs'] }),
    'package-lock.json': JSON.stringify({
      name: 'souk',
      version: '0.1.0',
      lockfileVersion: 3,
      packages: { '': { name: 'souk', version: '0.1.0' } },
    }),
    'openapi/openapi.json': JSON.stringify({ openapi: '3.1.0', info: { version: '0.1.0' } }),
    'openapi/control-plane.json': JSON.stringify({ openapi: '3.1.0', info: { version: '0.1.0' } }),
  }
  for (const directory of ['docs', 'openapi']) mkdirSync(join(folder, directory))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  git('init', '--quiet', '--initial-branch', 'main')
  for (const [key, value] of [
    ['user.name', 'Test'],
    ['user.email', 'test@souk.example'],
    ['commit.gpgsign', 'false'],
  ] as const) {
    git('config', key, value)
  }
  git('add', '.')
  git('commit', '--quiet', '--message', 'first')
  return {
    git,
    folder,
    read: (name: string) => readFileSync(join(folder, name), 'utf8'),
    release: (...args: string[]) => spawnSync(process.execPath, [SCRIPT, ...args], { cwd: folder, encoding: 'utf8' }),
  }
}

test('a release writes the version everywhere, commits, tags, and packs with checksums and a bill of materials', () => {
  const { git, folder, read, release } = createRepository()
  const { status, stderr } = release('minor', '--checks', 'true')
  expect({ status, stderr }).toMatchObject({ status: 0 })
  expect(read('CHANGELOG.md')).toMatch(
    /^# Changelog\n\n## Unreleased\n\n## 0\.2\.0 \(\d{4}-\d\d-\d\d\)\n\n### Feeds\n\n- News\.\n\n## 0\.1\.0 \(2026-01-01\)\n\n- First\.\n$/,
  )
  const lock = JSON.parse(read('package-lock.json'))
  expect([
    JSON.parse(read('package.json')).version,
    lock.version,
    lock.packages[''].version,
    JSON.parse(read('openapi/openapi.json')).info.version,
    JSON.parse(read('openapi/control-plane.json')).info.version,
  ]).toEqual(['0.2.0', '0.2.0', '0.2.0', '0.2.0', '0.2.0'])
  expect(read('README.md')).toBe('npm install ../souk/souk-0.2.0.tgz\n')
  expect(git('log', '--format=%s', '-1')).toBe('chore(release): 0.2.0')
  expect(git('status', '--porcelain')).toBe('')
  expect(git('rev-parse', 'v0.2.0^{commit}')).toBe(git('rev-parse', 'HEAD'))
  expect(git('tag', '--list', '--format=%(contents)', 'v0.2.0')).toBe('souk 0.2.0\n\n### Feeds\n\n- News.')

  expect(readdirSync(join(folder, 'release')).sort()).toEqual(['SHA256SUMS', 'souk-0.2.0.cdx.json', 'souk-0.2.0.tgz'])
  const sum = createHash('sha256')
    .update(readFileSync(join(folder, 'release/souk-0.2.0.tgz')))
    .digest('hex')
  expect(read('release/SHA256SUMS')).toContain(`${sum}  souk-0.2.0.tgz\n`)
  expect(JSON.parse(read('release/souk-0.2.0.cdx.json'))).toMatchObject({ bomFormat: 'CycloneDX' })
}, 60_000)

test('a dry run prints the release and changes nothing', () => {
  const { git, folder, release } = createRepository()
  const { status, stdout } = release('1.0.0', '--dry-run', '--checks', 'false')
  expect(status).toBe(0)
  expect(stdout).toContain('- News.')
  expect(stdout).toContain('Would commit and tag v1.0.0')
  expect(git('status', '--porcelain') + git('tag')).toBe('')
  expect(readdirSync(folder)).not.toContain('release')
})

test('a failure after the files were written restores them', () => {
  const { git, folder, release } = createRepository()
  writeFileSync(join(folder, '.git/hooks/pre-commit'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  expect(release('minor', '--checks', 'true').status).toBe(1)
  expect(git('status', '--porcelain') + git('tag')).toBe('')
})

describe('a release is refused, without a change,', () => {
  test.each<[string, string[], string, ((repository: ReturnType<typeof createRepository>) => void)?, string?]>([
    [
      'with uncommitted changes',
      ['minor'],
      'working tree has changes',
      ({ folder }) => writeFileSync(join(folder, 'new'), ''),
    ],
    ['if a check fails', ['minor', '--checks', 'false'], 'checks failed'],
    ['without entries', ['minor'], 'has no entries', undefined, '# Changelog\n\n## Unreleased\n\n### Feeds\n'],
    ['without the section', ['minor'], 'no section "Unreleased"', undefined, '# Changelog\n\n## 0.1.0\n\n- First.\n'],
    ['with an older version', ['0.0.9'], 'must be newer than 0.1.0'],
    ['with the same version', ['0.1.0'], 'must be newer than 0.1.0'],
    ['with an unknown bump', ['huge'], 'must be major, minor, patch or three numbers'],
    ['without a version', [], 'usage: npm run release'],
    ['if the tag exists', ['patch'], 'The tag v0.1.1 exists', ({ git }) => void git('tag', 'v0.1.1')],
  ])('%s', (_title, args, message, prepare, changelog) => {
    const repository = createRepository(changelog)
    prepare?.(repository)
    const before = repository.git('status', '--porcelain') + repository.git('tag')
    const { status, stderr } = repository.release(...args)
    expect(status).toBe(1)
    expect(stderr).toMatch(/^release: [^\n]+\n$/)
    expect(stderr).toContain(message)
    expect(repository.git('status', '--porcelain') + repository.git('tag')).toBe(before)
    expect(repository.git('log', '--format=%s')).toBe('first')
  })
})
