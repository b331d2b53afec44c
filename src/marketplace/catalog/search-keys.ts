import type { CatalogItem } from './item.ts'

const LONGEST_WORD = 50
const LONGEST_NAME = 100
const MOST_WORDS_OF_ITEM = 100

/** The words of a text as a search compares them: letters and digits of any script, in small letters, each once. */
export function wordsOf(text: string): string[] {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  return [...new Set(words.map((word) => cut(word, LONGEST_WORD)))]
}

// Words hold letters and digits only, so neither of these can be taken for one.
export const brandTerm = (brand: string) => `brand:${fold(brand)}`
export const classificationTerm = (classificationId: string) => `classification:${classificationId}`

/** All that an item is found by. */
export function termsOf(item: CatalogItem): string[] {
  const { brand, browseClassification, itemName, productType } = item
  const { manufacturer, modelNumber, partNumber, color, size, style } = item
  const classifications = browseClassification ? [browseClassification, ...(browseClassification.ancestors ?? [])] : []
  const described = [itemName, brand, modelNumber, partNumber, color, size, style, manufacturer, productType]
  const names = classifications.map(({ displayName }) => displayName)
  const terms = [
    ...(brand === undefined ? [] : [brandTerm(brand)]),
    ...classifications.map(({ classificationId }) => classificationTerm(classificationId)),
  ]
  return [...wordsOf([...described, ...names].join(' ')).slice(0, MOST_WORDS_OF_ITEM), ...new Set(terms)]
}

const fold = (name: string) => cut(name.normalize('NFKC').toLowerCase().trim().replace(/\s+/g, ' '), LONGEST_NAME)

// By characters: half a surrogate pair could not be stored.
const cut = (text: string, most: number) => (text.length <= most ? text : [...text].slice(0, most).join(''))
