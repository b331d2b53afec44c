import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isDocumentKey, safePath } from './safe-path.ts'

describe('the key of a document', () => {
  test.each(['a', 'reports/A1/amzn1.spdoc.1-2_3', '_x/-y', 'a/b..c', 'x'.repeat(200), `a${'/b'.repeat(249)}`])(
    '%j is inside the folder',
    (key) => {
      expect(safePath('/data/documents', key)).toBe(join('/data/documents', ...key.split('/')))
    },
  )

  test.each([
    ['empty', ''],
    ['the folder above', '..'],
    ['climbing', 'a/../../b'],
    ['climbing at the start', '../b'],
    ['a dot', './a'],
    ['hidden', 'a/.incoming'],
    ["the store's own folder", '.incoming/upload'],
    ['absolute', '/etc/passwd'],
    ['a drive', 'C:/windows'],
    ['with a backslash', 'a\\..\\b'],
    ['with an empty segment', 'a//b'],
    ['with a slash at the end', 'a/'],
    ['with NUL', 'a\0b'],
    ['with a line break at the end', 'a\n'],
    ['percent-encoded', 'a/%2e%2e/b'],
    ['with a space', 'a b'],
    ['beyond ASCII', 'ä'],
    ['with a segment too long for a disk', 'x'.repeat(201)],
    ['too long', `a${'/b'.repeat(250)}`],
  ])('is refused when it is %s', (_what, key) => {
    expect(isDocumentKey(key)).toBe(false)
    expect(() => safePath('/data/documents', key)).toThrow('Invalid document key')
  })
})
