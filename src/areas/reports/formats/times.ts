/** Formats a stored time for documents, without milliseconds. */
export const toDocumentTime = (stored: string | null) => (stored === null ? null : `${stored.slice(0, 19)}Z`)
