import { describe, expect, test } from 'vitest'
import { element, escapeXml } from './xml.ts'

describe('text in XML', () => {
  test.each([
    [
      'what means something to XML is written as an entity',
      `<a href="b">'&amp;'</a>`,
      '&lt;a href=&quot;b&quot;&gt;&apos;&amp;amp;&apos;&lt;/a&gt;',
    ],
    ['the end of a character section is no end of anything', ']]>', ']]&gt;'],
    ['tabs and line feeds stay', 'a\tb\nc', 'a\tb\nc'],
    ['a carriage return survives parsing', 'a\r\nb', 'a&#13;\nb'],
    ['letters of all languages stay', 'Schöne Grüße, 靴 👟', 'Schöne Grüße, 靴 👟'],
    [
      'control characters are left out, since XML has no way to say them',
      'a\0\u0001\u0008\u000b\u000c\u000e\u001fb',
      'ab',
    ],
    ['two characters that are none are left out', 'a\ufffe\uffffb', 'ab'],
    ['the characters beside them stay', '\ufffd\ud7ff\ue000\u007f\u0085', '\ufffd\ud7ff\ue000\u007f\u0085'],
    ['the first half of a pair alone is left out', 'a\ud83db', 'ab'],
    ['the second half of a pair alone is left out', 'a\udc5fb', 'ab'],
    ['halves in the wrong order are left out', 'a\udc5f\ud83db', 'ab'],
    ['a half before a whole pair is left out alone', '\ud83d👟\udc5f', '👟'],
    ['nothing is nothing', '', ''],
  ])('%s', (_what, text, written) => {
    expect(escapeXml(text)).toBe(written)
  })

  test('every text is looked at anew, whatever the one before was', () => {
    expect(['a<', '<', 'a', '<b'].map(escapeXml)).toEqual(['a&lt;', '&lt;', 'a', '&lt;b'])
  })
})

describe('an element', () => {
  test.each<[string, string | number | null | undefined, string]>([
    ['holds its text', 'A & B', '<n>A &amp; B</n>'],
    ['holds a number', 12.5, '<n>12.5</n>'],
    ['holds zero', 0, '<n>0</n>'],
    ['holds an empty text', '', '<n></n>'],
    ['is not there for null', null, ''],
    ['is not there for nothing', undefined, ''],
  ])('%s', (_what, value, written) => {
    expect(element('n', value)).toBe(written)
  })
})
