import type { CatalogItem } from './item.ts'

const MAX_WORD_LENGTH = 50
const MAX_NAME_LENGTH = 100
const MAX_WORDS_PER_ITEM = 100

/** Returns the distinct words of a text: letters and digits of any script, in lower case. */
export function wordsOf(text: string): string[] {
  const words = (NOT_ASCII.test(text) ? wordsOfAnyScript(text) : text.toLowerCase().match(/[a-z0-9]+/g)) ?? []
  return [...new Set(words.map((word) => truncate(word, MAX_WORD_LENGTH)))]
}

// Names of most products have only these characters, and classes of Unicode take several times as long.
const NOT_ASCII = /[^ -~]/
const wordsOfAnyScript = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu)

// The colon distinguishes these keys from words, which have only letters and digits.
export const brandKey = (brand: string) => `brand:${fold(brand)}`
export const classificationKey = (classificationId: string) => `classification:${classificationId}`

/**
 * The keys of a replaced item are deleted by computing them again: a change of this function needs a migration that
 * rebuilds them.
 */
export function searchKeysOf(item: CatalogItem): string[] {
  const { brand, browseClassification, itemName, productType } = item
  const { manufacturer, modelNumber, partNumber, color, size, style } = item
  const classifications = browseClassification ? [browseClassification, ...(browseClassification.ancestors ?? [])] : []
  const described = [itemName, brand, modelNumber, partNumber, color, size, style, manufacturer, productType]
  const names = classifications.map(({ displayName }) => displayName)
  const terms = [
    ...(brand === undefined ? [] : [brandKey(brand)]),
    ...classifications.map(({ classificationId }) => classificationKey(classificationId)),
  ]
  return [...wordsOf([...described, ...names].join(' ')).slice(0, MAX_WORDS_PER_ITEM), ...new Set(terms)]
}

const fold = (name: string) =>
  truncate(name.normalize('NFKC').toLowerCase().trim().replace(/\s+/g, ' '), MAX_NAME_LENGTH)

// By characters, because half of a surrogate pair cannot be stored.
const truncate = (text: string, maxLength: number) =>
  text.length <= maxLength ? text : [...text].slice(0, maxLength).join('')
