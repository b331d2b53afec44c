export const IDENTIFIER_TYPES = ['EAN', 'GTIN', 'ISBN', 'JAN', 'MINSAN', 'UPC'] as const
export type IdentifierType = (typeof IDENTIFIER_TYPES)[number]

export interface Identifier {
  type: IdentifierType
  value: string
}

const GTIN_DIGITS = 14
const IS_GTIN = /^\d{8,14}$/
// Of these, an ISBN of ten characters and a MINSAN are numbers of their own; all others are one number spelt differently.
const OWN_NUMBER: Partial<Record<IdentifierType, RegExp>> = { ISBN: /^\d{9}[\dX]$/, MINSAN: /^\d{9}$/ }

/** The spelling in which an identifier is stored and looked for, so that a UPC finds what was given by its EAN. */
export function canonicalIdentifier({ type, value }: Identifier): Identifier {
  const plain = value.replace(/[\s-]/g, '').toUpperCase()
  if (OWN_NUMBER[type]?.test(plain) || !IS_GTIN.test(plain)) return { type, value: plain }
  return { type: 'GTIN', value: plain.padStart(GTIN_DIGITS, '0') }
}

/** The last digit of a GTIN of any length, by those before it. */
export function checkDigit(digits: string): string {
  const sum = [...digits]
    .reverse()
    .reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 3 : 1), 0)
  return String((10 - (sum % 10)) % 10)
}

/** Whether it is a GTIN (EAN, UPC, JAN included) whose last digit fits the others. */
export const isValidGtin = (value: string): boolean =>
  IS_GTIN.test(value) && checkDigit(value.slice(0, -1)) === value.at(-1)
