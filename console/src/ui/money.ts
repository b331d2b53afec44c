/** `€12.50` in the viewer's habits. Amounts come as numbers or as decimal text. */
export function formatMoney(amount: number | string | undefined | null, currency: string | undefined): string {
  if (amount === undefined || amount === null) return '–'
  if (!currency) return String(amount)
  try {
    return new Intl.NumberFormat(undefined, { style: 'currency', currency }).format(Number(amount))
  } catch {
    return `${amount} ${currency}`
  }
}

/** How many digits an amount has after the point: 2 for EUR, 0 for JPY. */
export function decimalPlacesOf(currency: string): number {
  try {
    return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
  } catch {
    return 2
  }
}
