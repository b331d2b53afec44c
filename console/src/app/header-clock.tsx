import { Badge } from '@mantine/core'
import { IconClock, IconSnowflake } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMarketplaceTime } from '../api/clock.ts'
import { formatTime } from '../ui/moment.tsx'

/** The virtual clock. Its controls are on the home page. */
export function HeaderClock() {
  const clock = useMarketplaceTime()
  if (!clock) return null
  const Icon = clock.isFrozen ? IconSnowflake : IconClock
  return (
    <Badge
      component={Link}
      to="/"
      variant="light"
      color={clock.isFrozen ? 'blue' : 'gray'}
      size="lg"
      tt="none"
      visibleFrom="sm"
      leftSection={<Icon size={14} aria-hidden />}
      style={{ cursor: 'pointer' }}
      aria-label={`Marketplace time ${formatTime(clock.now)}${clock.isFrozen ? ', frozen' : ''}`}
    >
      {formatTime(clock.now)}
    </Badge>
  )
}
