const HEIGHT = 32

/** The course of a few dozen numbers as a line. The numbers themselves are in the text next to it. */
export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const highest = Math.max(1, ...values)
  const points = values.map((value, index) => `${index},${HEIGHT - 1 - (value / highest) * (HEIGHT - 2)}`)
  return (
    <svg
      role="img"
      aria-label={`${label}: highest ${Math.max(0, ...values)}, latest ${values.at(-1) ?? 0}`}
      viewBox={`0 0 ${Math.max(1, values.length - 1)} ${HEIGHT}`}
      preserveAspectRatio="none"
      width="100%"
      height={HEIGHT}
      style={{ display: 'block' }}
    >
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke="var(--mantine-primary-color-filled)"
        strokeWidth={1.5}
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}
