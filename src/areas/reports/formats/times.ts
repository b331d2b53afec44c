/** A stored time as documents write it: to the second. */
export const toDocumentTime = (stored: string | null) => (stored === null ? null : `${stored.slice(0, 19)}Z`)
