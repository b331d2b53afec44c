/** Where in a body something is, as people write it: `orders[0].items[1].sku`. */
export function formatFieldPath(segments: readonly string[]): string {
  return segments.reduce((path, segment) => {
    if (/^\d+$/.test(segment)) return `${path}[${segment}]`
    return path ? `${path}.${segment}` : segment
  }, '')
}
