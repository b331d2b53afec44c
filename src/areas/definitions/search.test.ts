import { describe, expect, test } from 'vitest'
import type { ProductTypeSummary } from '../../marketplace/product-types/index.ts'
import { matchesSearch, type ProductTypeSearch } from './search.ts'

const types: ProductTypeSummary[] = [
  {
    name: 'SHOES',
    version: '1',
    displayNames: { en_US: 'Shoes', de_DE: 'Schuhe' },
    searchTerms: { en_US: ['sneaker'], de_DE: ['sandale'] },
  },
  { name: 'TABLE_LAMP', version: '1', displayNames: { en_US: 'Table lamp', de_DE: 'Tischlampe' } },
]
const found = (sought: ProductTypeSearch, locale = 'en_US') =>
  types.filter((type) => matchesSearch(type, sought, locale)).map(({ name }) => name)

describe('keywords', () => {
  test.each([
    [['shoe'], ['SHOES']],
    [['LAMP'], ['TABLE_LAMP']],
    [['table_lamp'], ['TABLE_LAMP']],
    [['Sneak'], ['SHOES']],
    [
      ['lamp', 'shoes'],
      ['SHOES', 'TABLE_LAMP'],
    ],
    [['car'], []],
    [['!?'], []],
  ])('%j find %j', (keywords, names) => {
    expect(found({ keywords })).toEqual(names)
  })

  test('match texts in the requested language', () => {
    expect(found({ keywords: ['schuh'] }, 'de_DE')).toEqual(['SHOES'])
    expect(found({ keywords: ['schuh'] }, 'en_US')).toEqual([])
    expect(found({ keywords: ['sneaker'] }, 'de_DE')).toEqual([])
    expect(found({ keywords: ['shoes'] }, 'de_DE')).toEqual(['SHOES'])
  })
})

describe('the title of a product', () => {
  test.each([
    ['Running shoes, size 9', 'en_US', ['SHOES']],
    ['White Sneakers', 'en_US', ['SHOES']],
    ['Braune Sandalen', 'de_AT', ['SHOES']],
    ['A lamp for the bedroom', 'en_US', ['TABLE_LAMP']],
    ['Showcase', 'en_US', []],
  ])('%s (%s) suggests %j', (itemName, locale, names) => {
    expect(found({ itemName }, locale)).toEqual(names)
  })
})

test('a search without keywords and title finds all', () => {
  expect(found({})).toEqual(['SHOES', 'TABLE_LAMP'])
})
