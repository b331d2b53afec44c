const HAS_END = /[.?!]$/

/** Texts one after the other, each as a sentence: those of the live service have no period. */
export const joinSentences = (...texts: readonly (string | undefined)[]): string =>
  texts.flatMap((text) => (text ? [toSentence(text)] : [])).join(' ')

/** With a period, unless the text has an end. */
export const toSentence = (text: string): string => (HAS_END.test(text) ? text : `${text}.`)
