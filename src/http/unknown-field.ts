import { findSimilar } from '../platform/similar-words.ts'

/** The property of a schema that may have been meant by a key that the schema does not have. None if that is there, too. */
export function findMeantProperty(key: string, fields: object, properties: object): string | undefined {
  const [nearest] = findSimilar(key, Object.keys(properties))
  return nearest === undefined || Object.hasOwn(fields, nearest) ? undefined : nearest
}

/** What is wrong with such a key. Continues a sentence that begins with it. */
export function describeUnknown(key: string, fields: object, properties: object): string {
  const meant = findMeantProperty(key, fields, properties)
  return meant === undefined ? 'is not allowed' : `is not allowed. Did you mean ${meant}?`
}
