import { describe, expect, test } from 'vitest'
import { toWindowsCommand } from './windows-command.ts'

const env = { Path: 'C:\\Windows;C:\\Program Files\\nodejs', PATHEXT: '.COM;.EXE;.BAT;.CMD', ComSpec: 'C:\\cmd.exe' }
const FILES = ['C:\\Program Files\\nodejs\\node.exe', 'C:\\Program Files\\nodejs\\npm.cmd', 'tools\\run.bat']
const find = (...command: [string, ...string[]]) => toWindowsCommand(command, env, (path) => FILES.includes(path))

describe('a command on Windows', () => {
  test.each(['node', 'node.exe'])('%s is started without a shell', (name) => {
    const args = ['-e', 'console.log("a b & c")', '%PATH%', '']
    expect(find(name, ...args)).toEqual({ file: FILES[0], args, windowsVerbatimArguments: false })
  })

  test.each(['npm', 'npm.cmd'])('%s is a batch file, which cmd.exe runs', (name) => {
    expect(find(name, 'test')).toEqual({
      file: 'C:\\cmd.exe',
      args: ['/d', '/s', '/c', '"C:\\Program^ Files\\nodejs\\npm.cmd ^^^"test^^^""'],
      windowsVerbatimArguments: true,
    })
  })

  test.each([
    ['a space', 'a b', '"a b"'],
    ['nothing', '', '""'],
    ['another command', 'a & del x', '"a & del x"'],
    ['a variable', '%PATH%', '"%PATH%"'],
    ['a quote', 'say "hi"', '"say \\"hi\\""'],
    ['a backslash before a quote', 'a\\"b', '"a\\\\\\"b"'],
    ['a backslash at the end', 'C:\\folder\\', '"C:\\folder\\\\"'],
  ])('gets an argument with %s unchanged through a batch file', (_what, argument, expected) => {
    const [, escaped = ''] = /npm\.cmd (.*)"$/.exec(find('npm', argument)?.args[3] ?? '') ?? []
    // cmd.exe parses the line twice, and removes the carets each time. What has none would be special.
    const once = escaped.replace(/\^(.)/g, '$1')
    for (const text of [escaped, once]) expect(text.replace(/\^./g, '')).not.toMatch(/[&%" ]/)
    expect(once.replace(/\^(.)/g, '$1')).toBe(expected)
  })

  test('is found by its path', () => {
    expect(find('tools\\run')?.args[3]).toBe('"tools\\run.bat"')
    expect(find('tools/run')?.args[3]).toBe('"tools\\run.bat"')
  })

  test.each(['pnpm', 'tools\\missing', ''])('that does not exist is not found: %j', (name) => {
    expect(find(name)).toBeUndefined()
  })
})
