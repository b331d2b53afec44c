// ISO 4217's own numbers. Intl knows how money is shown, not how it is counted: it drops the hundredths of HUF and IDR.
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

/** A decimal amount as it comes over the wire in the currency's minor unit, rounded to it: 59.9 EUR is 5990. */
export function toMinor(amount: number, currencyCode: string): number {
  // Through text: 1.005 * 100 is a little less than 100.5, and its decimal notation is what was meant.
  return Math.round(Number(`${amount}e${digitsOf(currencyCode)}`)) || Math.round(amount * 10 ** digitsOf(currencyCode))
}

/** Money as a decimal number with a dot and all of its currency's digits: 5990 is 59.90 in EUR, and 5990 in JPY. */
export function formatMinor(minor: number, currencyCode: string): string {
  const digits = digitsOf(currencyCode)
  // By text, not by division: money that is stored exactly is shown exactly.
  const text = String(Math.abs(minor)).padStart(digits + 1, '0')
  const amount = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
  return minor < 0 ? `-${amount}` : amount
}
