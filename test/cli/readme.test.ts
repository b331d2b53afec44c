import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, inject, test } from 'vitest'
import {
  COMMANDS_TIMEOUT_MILLISECONDS,
  codeBlocks,
  documentedCommands,
  runCommands,
} from '../support/documented-commands.ts'
import { startDev, temporaryFolder } from '../support/souk-process.ts'

test(
  'the commands of the README print the responses that follow them',
  async () => {
    const { url } = await startDev(temporaryFolder())
    const responses = await runCommands(documentedCommands('README.md'), url)
    const [shown = ''] = codeBlocks('README.md', 'json')
    const expected = shown.trimEnd().split('\n')
    expect(responses.map((line) => line.replace(/(?<="submissionId":)"[^"]+"/, '"..."'))).toEqual(expected)
  },
  COMMANDS_TIMEOUT_MILLISECONDS,
)

test(
  'the example of startSouk() runs with the published module',
  async () => {
    const [example = ''] = codeBlocks('docs/testing.md', 'js')
    expect(example).toContain("from 'souk'")
    const published = pathToFileURL(resolve(inject('soukCommand'), '../../index.js')).href
    const file = join(temporaryFolder(), 'example.mjs')
    writeFileSync(file, example.replace("'souk'", `'${published}'`))
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [file])
    expect({ stdout, stderr }).toEqual({ stdout: '', stderr: '' })
  },
  COMMANDS_TIMEOUT_MILLISECONDS,
)

test('the README has fewer than 150 lines', () => {
  const text = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  expect(text.split('\n').length).toBeLessThan(150)
})
