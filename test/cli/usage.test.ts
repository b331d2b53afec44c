import { describe, expect, test } from 'vitest'
import { version } from '../../src/composition/version.ts'
import { runSouk } from '../support/souk-process.ts'

const COMMANDS = ['dev', 'run', 'serve', 'worker', 'migrate', 'ctl', 'tls', 'demo', 'openapi']

describe.concurrent('souk', () => {
  test('prints its version', async () => {
    expect(await runSouk(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  test('lists its commands with --help', async () => {
    const { code, stdout, stderr } = await runSouk(['--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const command of COMMANDS) expect(stdout).toMatch(new RegExp(`^  ${command}\\b`, 'm'))
  })

  test.each(COMMANDS)('explains %s with --help', async (command) => {
    const { code, stdout, stderr } = await runSouk([command, '--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(new RegExp(`^Usage: souk ${command} `))
  })

  test.each([
    ['an unknown command', ['sell'], /^error: unknown command 'sell'\n/],
    ['an unknown option', ['dev', '--prot', '1'], /^error: unknown option '--prot'\n/],
    ['an option of another command', ['serve', '--port', '1'], /^error: unknown option '--port'\n/],
    ['an argument too many', ['dev', 'now'], /^error: too many arguments for 'dev'/],
    [
      'a port that does not exist',
      ['dev', '--port', '65536'],
      /--port must be an integer from 0 to 65535, not "65536"\.\n/,
    ],
    ['a port that is not a number', ['dev', '--port', 'http'], /--port must be an integer from 0 to 65535, not "http"/],
    [
      'a command without --',
      ['run', 'node', 'app.js', '--watch'],
      /^error: -- is missing before the command: souk run -- node app\.js --watch\n/,
    ],
    ['an unknown option before --', ['run', '--prot', '1', '--', 'node'], /^error: unknown option '--prot'\n/],
    ['no command to run', ['run', '--'], /^error: the command is missing: souk run -- <command> \[arguments\.\.\.\]\n/],
    ['rates of zero', ['dev', '--rates', '0'], /--rates must be documented, off or a number above 0, not "0"\.\n/],
    ['rates that are a word', ['dev', '--rates', 'fast'], /--rates must be documented, off or a number above 0/],
    [
      'a proxy that is no URL',
      ['tls', '--proxy', '127.0.0.1:4700'],
      /--proxy must be an http or https URL without a path/,
    ],
    ['a delay that is negative', ['dev', '--delay=-1'], /--delay must be an integer from 0 to 3600000, not "-1"/],
  ])('refuses %s with exit code 2, a sentence and a hint', async (_what, args, sentence) => {
    const { code, stdout, stderr } = await runSouk(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(sentence)
    expect(stderr).toMatch(/^error: [^\n]+\n(\(Did you mean [^\n]+\)\n)?Run with --help for usage\.\n$/)
  })

  test('prints the OpenAPI document with openapi', async () => {
    const { code, stdout, stderr } = await runSouk(['openapi'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({ openapi: expect.stringMatching(/^3\.1\./), info: { version } })
  })
})
