import { Text, Tooltip } from '@mantine/core'
import { useState } from 'react'
import { timeZoneOf } from '../api/marketplaces.ts'
import { useSelection } from '../api/selection.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

/** A time in the viewer's zone, and on hover or touch in that of the marketplace and in UTC. */
export function Moment({ time }: { time: string | Date | null | undefined }) {
  const { marketplaceId } = useSelection()
  const [hovered, setHovered] = useState<HTMLElement | null>(null)
  if (time === null || time === undefined) return <Text span>–</Text>
  const date = new Date(time)
  return (
    <>
      <time
        dateTime={date.toISOString()}
        style={{ whiteSpace: 'nowrap' }}
        onMouseEnter={({ currentTarget }) => setHovered(currentTarget)}
        onMouseLeave={() => setHovered(null)}
      >
        {formatTime(date)}
      </time>
      {/* Only then: tables have a time in every row, and a tooltip takes longer to draw than the rest of the row. */}
      {hovered && (
        <Tooltip multiline opened target={hovered} label={<Zones date={date} zone={timeZoneOf(marketplaceId)} />} />
      )}
    </>
  )
}

function Zones({ date, zone }: { date: Date; zone: string }) {
  return (
    <>
      <div>{`${formatTime(date, zone)} ${zone}`}</div>
      <div>{date.toISOString()}</div>
    </>
  )
}

export function formatTime(date: Date, timeZone?: string): string {
  const key = timeZone ?? ''
  let format = formats.get(key)
  if (!format) {
    format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium', timeZone })
    formats.set(key, format)
  }
  return format.format(date)
}
