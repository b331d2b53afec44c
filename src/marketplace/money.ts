// Minor units of ISO 4217. Intl has display digits instead, which omit the hundredths of HUF and IDR.
const DIGITS: Record<string, readonly string[]> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '),
  3: 'BHD IQD JOD KWD LYD OMR TND'.split(' '),
  4: 'CLF UYW'.split(' '),
}
const DEFAULT_DIGITS = 2
const digitsByCurrency = new Map(
  Object.entries(DIGITS).flatMap(([digits, codes]) => codes.map((code) => [code, Number(digits)] as const)),
)

const digitsOf = (currencyCode: string) => digitsByCurrency.get(currencyCode) ?? DEFAULT_DIGITS

/** Converts a decimal amount to minor units, rounded: 59.9 EUR is 5990. */
export function toMinor(amount: number, currencyCode: string): number {
  // Through text, because 1.005 * 100 is slightly less than 100.5.
  return Math.round(Number(`${amount}e${digitsOf(currencyCode)}`)) || Math.round(amount * 10 ** digitsOf(currencyCode))
}

/** Formats minor units with all digits of the currency: 5990 is 59.90 in EUR and 5990 in JPY. */
export function formatMinor(minor: number, currencyCode: string): string {
  const digits = digitsOf(currencyCode)
  // Through text, because a division may round.
  const text = String(Math.abs(minor)).padStart(digits + 1, '0')
  const amount = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
  return minor < 0 ? `-${amount}` : amount
}
