import { Badge } from '@mantine/core'

const COLORS: Record<number, string> = { 2: 'teal', 3: 'blue', 4: 'orange', 5: 'red' }

/** An HTTP status. */
export function StatusBadge({ status, outcome }: { status?: number | undefined; outcome?: string }) {
  if (status === undefined) {
    return (
      <Badge variant="outline" c="inherit" style={{ flexShrink: 0 }}>
        {outcome === 'clientGone' ? 'left' : 'running'}
      </Badge>
    )
  }
  return (
    // The color of the text has the contrast that the light colors lack.
    <Badge variant="light" color={COLORS[Math.floor(status / 100)] ?? 'gray'} c="inherit" style={{ flexShrink: 0 }}>
      {status}
    </Badge>
  )
}
