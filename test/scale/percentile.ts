export const percentile = (sorted: readonly number[], share: number) =>
  sorted[Math.floor(sorted.length * share)] as number
