import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { DetailsDrawer } from '../../ui/details-drawer.tsx'
import { JsonView } from '../../ui/json-view.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { eventBusQuery } from './queries.ts'

type BusEvent = Awaited<ReturnType<NonNullable<(typeof eventBusQuery)['queryFn']>>>[number]

/** The latest events that `souk dev` would have sent to event buses. */
export function EventBus() {
  const query = useQuery(eventBusQuery)
  const [opened, setOpened] = useState<BusEvent>()
  return (
    <Stack>
      <Loaded query={query}>
        {(events) =>
          events.length === 0 ? (
            <Empty>Events for event buses appear here, such as changes of listings.</Empty>
          ) : (
            <DataTable
              label="Events"
              minWidth={760}
              columns={COLUMNS}
              rows={events}
              keyOf={({ id }) => id}
              openKey={opened?.id}
              onOpen={(event) => setOpened(event)}
            />
          )
        }
      </Loaded>
      <DetailsDrawer
        item={opened}
        onClose={() => setOpened(undefined)}
        title={(event) => event['detail-type']}
        size="xl"
      >
        {(event) => <JsonView value={event} label="Event" />}
      </DetailsDrawer>
    </Stack>
  )
}

const COLUMNS: readonly Column<BusEvent>[] = [
  { header: 'Type', cell: (event) => event['detail-type'] },
  { header: 'Time', width: '210px', cell: ({ time }) => <Moment time={time} /> },
  { header: 'Account', width: '150px', cell: ({ account }) => account },
  { header: 'Region', width: '120px', cell: ({ region }) => region },
]
