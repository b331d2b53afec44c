import { describe, expect, test } from 'vitest'
import { element, escapeXml } from './xml.ts'

describe('text in XML', () => {
  test.each([
    [
      'XML special characters are escaped',
      `<a href="b">'&amp;'</a>`,
      '&lt;a href=&quot;b&quot;&gt;&apos;&amp;amp;&apos;&lt;/a&gt;',
    ],
    ['the end of a CDATA section is escaped', ']]>', ']]&gt;'],
    ['tabs and line feeds stay', 'a\tb\nc', 'a\tb\nc'],
    ['a carriage return survives parsing', 'a\r\nb', 'a&#13;\nb'],
    ['letters of all languages stay', 'Schöne Grüße, 靴 👟', 'Schöne Grüße, 靴 👟'],
    [
      'control characters are left out, since XML has no way to say them',
      'a\0\u0001\u0008\u000b\u000c\u000e\u001fb',
      'ab',
    ],
    ['the two noncharacters are removed', 'a\ufffe\uffffb', 'ab'],
    ['adjacent characters are kept', '\ufffd\ud7ff\ue000\u007f\u0085', '\ufffd\ud7ff\ue000\u007f\u0085'],
    ['a lone high surrogate is removed', 'a\ud83db', 'ab'],
    ['a lone low surrogate is removed', 'a\udc5fb', 'ab'],
    ['surrogates in the wrong order are removed', 'a\udc5f\ud83db', 'ab'],
    ['a lone surrogate before a pair is removed', '\ud83d👟\udc5f', '👟'],
    ['empty text stays empty', '', ''],
  ])('%s', (_what, text, written) => {
    expect(escapeXml(text)).toBe(written)
  })

  test('every text is checked independently of the previous one', () => {
    expect(['a<', '<', 'a', '<b'].map(escapeXml)).toEqual(['a&lt;', '&lt;', 'a', '&lt;b'])
  })
})

describe('an element', () => {
  test.each<[string, string | number | null | undefined, string]>([
    ['holds its text', 'A & B', '<n>A &amp; B</n>'],
    ['holds a number', 12.5, '<n>12.5</n>'],
    ['holds zero', 0, '<n>0</n>'],
    ['holds an empty text', '', '<n></n>'],
    ['is omitted for null', null, ''],
    ['is omitted for undefined', undefined, ''],
  ])('%s', (_what, value, written) => {
    expect(element('n', value)).toBe(written)
  })
})
