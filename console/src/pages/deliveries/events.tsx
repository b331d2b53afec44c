import { Text } from '@mantine/core'
import { bodyOf, service } from '../../api/client.ts'
import type { paths } from '../../api/generated/service.d.ts'
import { useList } from '../../api/pages.ts'
import { useAct } from '../../ui/act.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { DeadLetterActions } from './dead-letter-actions.tsx'
import type { Opened } from './opened.ts'

type EventsBody = paths['/operator/v1/events']['get']['responses']['200']['content']['application/json']
type Event = EventsBody['events'][number]

interface EventsProps {
  state: 'PENDING' | 'DEAD'
  onOpen(opened: Opened): void
}

export function Events({ state, onOpen }: EventsProps) {
  const events = useList(
    ['operator', 'events', state],
    async (pageToken) => {
      const page = await bodyOf(service.GET('/operator/v1/events', { params: { query: { state, pageToken } } }))
      return { items: page.events, nextToken: page.nextToken }
    },
    { refetchInterval: 5_000 },
  )
  const changes = [['operator', 'events']]
  const retry = useAct({
    run: (eventId: string) => service.POST('/operator/v1/events/{eventId}/retry', { params: { path: { eventId } } }),
    done: 'The event is processed again.',
    changes,
  })
  const discard = useAct({
    run: (eventId: string) => service.DELETE('/operator/v1/events/{eventId}', { params: { path: { eventId } } }),
    done: 'The event is discarded.',
    changes,
  })
  const columns: Column<Event>[] = [
    { header: 'Type', cell: (event) => event.type, width: '26%' },
    { header: 'Seller', cell: (event) => event.sellerId, width: '18%' },
    { header: 'Occurred', cell: (event) => <Moment time={event.occurredAt} />, width: '190px' },
    {
      header: 'Last error',
      cell: (event) => (
        <Text size="sm" lineClamp={1} title={event.lastError}>
          {event.lastError ?? '–'}
        </Text>
      ),
    },
    ...(state === 'DEAD'
      ? [
          {
            header: 'Actions',
            width: '190px',
            cell: ({ eventId }: Event) => (
              <DeadLetterActions
                what="event"
                retry={() => retry.mutate(eventId)}
                discard={() => discard.mutate(eventId)}
              />
            ),
          },
        ]
      : []),
  ]
  return (
    <Loaded query={events}>
      {(rows) =>
        rows.length === 0 ? (
          <Empty>{state === 'DEAD' ? 'No event was given up.' : 'No event waits.'}</Empty>
        ) : (
          <DataTable
            label="Events"
            columns={columns}
            rows={rows}
            keyOf={({ eventId }) => eventId}
            onOpen={(event) => onOpen({ title: `Event ${event.eventId}`, value: event })}
            {...events.more}
          />
        )
      }
    </Loaded>
  )
}
