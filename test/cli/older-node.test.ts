import { spawnSync } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const BIN = fileURLToPath(new URL('../../bin/souk.js', import.meta.url))

// npm puts the Node.js of this project first on the PATH; the machine's own is behind it.
const olderNode = [
  '/usr/bin/node',
  ...(process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .map((folder) => join(folder, 'node')),
].find((path) => isOlder(spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout))

function isOlder(version: string | null): boolean {
  const [, major, minor] = /^v(\d+)\.(\d+)\./.exec(version ?? '') ?? []
  return major !== undefined && (Number(major) < 22 || (Number(major) === 22 && Number(minor) < 18))
}

// Skipped where the machine has no Node.js that is too old: there is nothing to run it on.
test.skipIf(!olderNode)('on an unsupported Node.js, souk names the required version and exits with code 1', () => {
  const { status, stdout, stderr } = spawnSync(olderNode as string, [BIN, 'dev'], { encoding: 'utf8' })
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toMatch(/^souk needs Node\.js 22\.18 or newer; this is \d+\.\d+\.\d+ \(.+\)\.\n$/)
})
