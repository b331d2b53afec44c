/** Parses an object that was stored as JSON. Returns undefined if the text is damaged or something else. */
export function parseStoredObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

export function requireStoredObject(text: string): object {
  const value = parseStoredObject(text)
  if (!value) throw new Error('The stored payload cannot be parsed')
  return value
}

/** The same for a list that shows every row: one that cannot be parsed is its text. */
export const renderStoredObject = (text: string): object => parseStoredObject(text) ?? { unreadable: text }
