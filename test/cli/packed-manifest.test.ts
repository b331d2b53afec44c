import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
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
    run: (mode: 'trim' | 'restore') =>
      expect(spawnSync(process.execPath, [SCRIPT, mode], { cwd: folder }).status).toBe(0),
    read: () => readFileSync(path, 'utf8'),
    write: (text: string) => writeFileSync(path, text),
    files: () => readdirSync(folder),
  }
}

test('the packed manifest has only the dependencies that are not bundled, and the original comes back', () => {
  const project = createProject()
  project.run('trim')
  expect(Object.keys(JSON.parse(project.read()).dependencies)).toEqual(INSTALLED)
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
