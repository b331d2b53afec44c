import { Text, Tooltip } from '@mantine/core'
import { timeZoneOf } from '../api/marketplaces.ts'
import { useSelection } from '../api/selection.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

/** A time in the viewer's zone, and on hover or focus in that of the marketplace and in UTC. */
export function Moment({ time }: { time: string | Date | null | undefined }) {
  const { marketplaceId } = useSelection()
  if (time === null || time === undefined) return <Text span>–</Text>
  const date = new Date(time)
  const zone = timeZoneOf(marketplaceId)
  return (
    <Tooltip multiline events={{ hover: true, focus: true, touch: true }} label={<Zones date={date} zone={zone} />}>
      <time dateTime={date.toISOString()} style={{ whiteSpace: 'nowrap' }}>
        {formatTime(date)}
      </time>
    </Tooltip>
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
