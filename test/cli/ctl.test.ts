import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { COMMANDS_TIMEOUT_MILLISECONDS, documentedCommands, runCommands } from '../support/documented-commands.ts'
import { runSouk, startDev, temporaryFolder } from '../support/souk-process.ts'

test(
  'the commands of the page about souk ctl work in their order',
  async () => {
    const { url } = await startDev(temporaryFolder())
    const command = `'${process.execPath}' '${inject('soukCommand')}'`
    // Progress is on standard error, which has to be empty.
    const file = join(temporaryFolder(), 'marketplace.yaml')
    const adapt = (block: string) =>
      block
        .replaceAll('npx souk', command)
        .replaceAll('marketplace.yaml', file)
        .replace(/(--wait|ctl import .*)$/gm, '$1 2>&1')
    const commands = documentedCommands('docs/ctl.md').map(adapt)
    const lines = await runCommands(['set -e\n', ...commands], url)
    expect(lines[0]).toMatch(/^now +\d{4}-/)
    expect(lines).toContainEqual(expect.stringMatching(/^repeatSolicitation +400$/))
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}"queueUrl": "http:/))
  },
  COMMANDS_TIMEOUT_MILLISECONDS,
)

test('souk ctl sets the exit code and prints errors to standard error', async () => {
  const ended = await runSouk(['ctl', 'clock', 'get', '--url', 'http://127.0.0.1:9'])
  expect(ended).toEqual({ code: 3, stdout: '', stderr: expect.stringMatching(/^souk: No Souk responds at .*\n$/) })
  expect(await runSouk(['ctl', 'clock', 'advance'])).toMatchObject({ code: 2, stdout: '' })
  expect(await runSouk(['ctl', '--help'])).toMatchObject({ code: 0, stderr: '' })
})
