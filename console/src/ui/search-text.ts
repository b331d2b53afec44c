/** A parameter of the address as text. The router reads `?orderId=1` as a number. */
export function searchText(value: unknown): string | undefined {
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined
}
