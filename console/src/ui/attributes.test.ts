import { expect, test } from 'vitest'
import { describeEntry, inLanguage, languageName, languagesOf } from './attributes.ts'

const attributes = {
  item_name: [
    { value: 'Boot', language_tag: 'en_US' },
    { value: 'Stiefel', language_tag: 'de_DE' },
  ],
  color: [{ value: 'grau', language_tag: 'de_DE' }],
  model_number: [{ value: 'SK-1' }, 'plain'],
}

test('the languages of attributes are those of their entries', () => {
  expect(languagesOf(attributes)).toEqual(['de_DE', 'en_US'])
  expect(languagesOf({ model_number: ['plain', null, { language_tag: 7 }] })).toEqual([])
})

test('in one language, attributes have its entries and those without a language', () => {
  expect(inLanguage(attributes, undefined)).toBe(attributes)
  expect(inLanguage(attributes, 'en_US')).toEqual({
    item_name: [{ value: 'Boot', language_tag: 'en_US' }],
    model_number: [{ value: 'SK-1' }, 'plain'],
  })
})

test('an entry is described by its value, and a language by its name', () => {
  expect(describeEntry(attributes.color[0])).toBe('grau')
  expect(describeEntry({ width: 2, unit: 'cm', language_tag: 'de_DE' })).toBe('{"width":2,"unit":"cm"}')
  expect([languageName('de_DE'), languageName('??')]).toEqual(['German', '??'])
})
