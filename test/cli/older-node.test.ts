import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findOlderNode } from '../../scripts/older-node.ts'

const olderNode = findOlderNode()
const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
const MESSAGE =
  /^souk needs Node\.js (\d+\.\d+) or newer; this is \d+\.\d+\.\d+ \(.+\)\. For one project: npm install --save-dev node@\d+\n$/

// Skipped where the machine has no Node.js that is too old: there is nothing to run it on.
test.skipIf(!olderNode)('on an unsupported Node.js, souk names the required version and exits with code 1', () => {
  const { status, stdout, stderr } = spawnSync(olderNode as string, ['bin/souk.js', 'dev'], { encoding: 'utf8' })
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  const [, required] = MESSAGE.exec(stderr) ?? []
  expect(`>=${required}`).toBe(manifest.engines.node)
})

test.skipIf(!olderNode)('on an unsupported Node.js, an import of the package throws an error that says so', () => {
  const code = "import('./bin/require-node.js').catch((error) => console.log(error.message))"
  const { status, stdout, stderr } = spawnSync(olderNode as string, ['-e', code], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toMatch(MESSAGE)
})

test('every entrance of the package checks the version first, but the one that programs on an older Node.js load', () => {
  const { './redirect': _, ...entrances } = manifest.exports
  expect(Object.keys(entrances)).toEqual(['.', './vitest'])
  for (const entrance of Object.values<{ default: string }>(entrances)) {
    expect(readFileSync(entrance.default, 'utf8')).toMatch(/^import '\.\/require-node\.js'\n/)
  }
})
