export const MAX_SKU_LENGTH = 255

/** The same rule as the schema of a SKU, which counts code points too. */
export function isSku(value: unknown): value is string {
  if (typeof value !== 'string' || value === '') return false
  return value.length <= MAX_SKU_LENGTH || (value.length <= 2 * MAX_SKU_LENGTH && [...value].length <= MAX_SKU_LENGTH)
}
