import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { INSTALLED } from '../../scripts/bundle.ts'
import { temporaryFolder } from '../support/souk-process.ts'

const SCRIPT = resolve('scripts/packed-manifest.ts')
const ORIGINAL = readFileSync('package.json', 'utf8')

function createProject() {
  const folder = temporaryFolder()
  const path = join(folder, 'package.json')
  writeFileSync(path, ORIGINAL)
  return {
    folder,
    tryOut: (mode: 'trim' | 'restore') =>
      spawnSync(process.execPath, [SCRIPT, mode], { cwd: folder, encoding: 'utf8' }),
    run(mode: 'trim' | 'restore') {
      expect(this.tryOut(mode)).toMatchObject({ status: 0, stderr: '' })
    },
    read: () => readFileSync(path, 'utf8'),
    write: (text: string) => writeFileSync(path, text),
    files: () => readdirSync(folder),
  }
}

test('the packed manifest has no scripts and only the dependencies that are not bundled, and the original comes back', () => {
  const project = createProject()
  project.run('trim')
  const packed = JSON.parse(project.read())
  expect(Object.keys(packed.dependencies)).toEqual(INSTALLED)
  expect(packed).not.toHaveProperty('scripts')
  project.run('restore')
  expect(project.read()).toBe(ORIGINAL)
  expect(project.files()).toEqual(['package.json'])
})

test('after an interrupted npm pack, the next one restores the original', () => {
  const project = createProject()
  for (const mode of ['trim', 'trim', 'restore'] as const) project.run(mode)
  expect(project.read()).toBe(ORIGINAL)
})

test('after an interrupted npm pack, a manifest that was changed since is kept', () => {
  const project = createProject()
  project.run('trim')
  const newer = ORIGINAL.replace(/"version": "[^"]+"/, '"version": "9.9.9"')
  project.write(newer)
  for (const mode of ['trim', 'restore'] as const) project.run(mode)
  expect(project.read()).toBe(newer)
})

test.each(['trim', 'restore'] as const)('a changed manifest without its dependencies is kept: %s refuses', (mode) => {
  const project = createProject()
  project.run('trim')
  const changed = project.read().replace(/"version": "[^"]+"/, '"version": "9.9.9"')
  project.write(changed)
  const { status, stderr } = project.tryOut(mode)
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringContaining('package.json was changed after npm pack had removed dependencies from it.'),
  })
  expect(project.read()).toBe(changed)
  expect(readFileSync(join(project.folder, 'package.json.original'), 'utf8')).toBe(ORIGINAL)
})

test('after a build that fails during npm pack, the original comes back', () => {
  const project = createProject()
  symlinkSync(resolve('scripts'), join(project.folder, 'scripts'))
  symlinkSync(resolve('node_modules'), join(project.folder, 'node_modules'))
  // Nothing to build: there is no src/.
  const { status } = spawnSync('npm', ['pack', '--silent'], { cwd: project.folder })
  expect(status).not.toBe(0)
  expect(project.read()).toBe(ORIGINAL)
  expect(project.files()).not.toContain('package.json.original')
})
