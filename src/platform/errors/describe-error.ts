const MAX_LENGTH = 500

/** Limits a text of unknown origin to what can be stored: PostgreSQL does not accept NUL characters. */
export const toStorableText = (text: string): string => text.replaceAll('\0', '').slice(0, MAX_LENGTH)

/** Returns the name and message of an error as text that can be stored. */
export const describeError = (error: unknown): string =>
  toStorableText(error instanceof Error ? `${error.name}: ${error.message}` : String(error))
