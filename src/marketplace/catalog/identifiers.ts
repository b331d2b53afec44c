export const IDENTIFIER_TYPES = ['EAN', 'GTIN', 'ISBN', 'JAN', 'MINSAN', 'UPC'] as const
export type IdentifierType = (typeof IDENTIFIER_TYPES)[number]

export interface Identifier {
  type: IdentifierType
  value: string
}

const GTIN_DIGITS = 14
const IS_GTIN = /^\d{8,14}$/
// ISBN-10 and MINSAN are separate numbers. All others are variants of GTIN.
const OWN_NUMBER: Partial<Record<IdentifierType, RegExp>> = { ISBN: /^\d{9}[\dX]$/, MINSAN: /^\d{9}$/ }

/** Returns the stored form of an identifier, so that a UPC finds an item with the equal EAN. */
export function canonicalIdentifier({ type, value }: Identifier): Identifier {
  const plain = value.replace(/[\s-]/g, '').toUpperCase()
  if (OWN_NUMBER[type]?.test(plain) || !IS_GTIN.test(plain)) return { type, value: plain }
  return { type: 'GTIN', value: plain.padStart(GTIN_DIGITS, '0') }
}

/** Computes the last digit of a GTIN of any length. */
export function checkDigit(digits: string): string {
  const sum = [...digits]
    .reverse()
    .reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 3 : 1), 0)
  return String((10 - (sum % 10)) % 10)
}

/** Checks the format and check digit of a GTIN, EAN, UPC or JAN. */
export const isValidGtin = (value: string): boolean =>
  IS_GTIN.test(value) && checkDigit(value.slice(0, -1)) === value.at(-1)
