import { Badge, Group, Select, Stack } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconClock } from '@tabler/icons-react'
import { useState } from 'react'
import { bodyOf, service } from '../../api/client.ts'
import type { paths } from '../../api/generated/service.d.ts'
import { NOTIFICATION_TYPES } from '../../api/notification-types.ts'
import { useList } from '../../api/pages.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { DetailsDrawer } from '../../ui/details-drawer.tsx'
import { JsonView } from '../../ui/json-view.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import type { NotificationsSearch } from './route.ts'

type Query = NonNullable<paths['/console/v1/deliveries']['get']['parameters']['query']>

const loadDeliveries = (query: Query) => bodyOf(service.GET('/console/v1/deliveries', { params: { query } }))

type Delivery = Awaited<ReturnType<typeof loadDeliveries>>['deliveries'][number]

const PAGE_SIZE = 50

interface DeliveriesProps {
  search: NotificationsSearch
  onChange(search: NotificationsSearch): void
}

/** Notifications that wait, were given up or were sent. */
export function Deliveries({ search: { state, type: notificationType }, onChange }: DeliveriesProps) {
  const [opened, setOpened] = useState<Delivery>()
  const list = useList(
    ['deliveries', { state, notificationType }],
    async (nextToken) => {
      const page = await loadDeliveries({
        pageSize: PAGE_SIZE,
        ...(state && { state }),
        ...(notificationType && { notificationType }),
        ...(nextToken && { nextToken }),
      })
      return { items: page.deliveries, nextToken: page.nextToken }
    },
    { refetchInterval: 5_000 },
  )
  return (
    <Stack>
      <Group align="flex-end">
        <Select
          label="State"
          placeholder="All"
          clearable
          data={Object.entries(STATES).map(([value, { label }]) => ({ value, label }))}
          value={state ?? null}
          onChange={(value) => onChange({ state: (value as NotificationsSearch['state']) ?? undefined })}
          w={{ base: '100%', sm: 180 }}
        />
        <Select
          label="Type"
          placeholder="All"
          clearable
          searchable
          data={NOTIFICATION_TYPES.map(({ name }) => name)}
          value={notificationType ?? null}
          onChange={(value) => onChange({ type: value ?? undefined })}
          w={{ base: '100%', sm: 360 }}
        />
      </Group>
      <Loaded query={list}>
        {(deliveries) =>
          deliveries.length === 0 ? (
            <Empty>
              {state || notificationType
                ? 'No notification matches these filters.'
                : 'Nothing was sent, and nothing waits. Notifications appear here once something happens to which you are subscribed.'}
            </Empty>
          ) : (
            <DataTable
              label="Deliveries"
              minWidth={940}
              columns={COLUMNS}
              rows={deliveries}
              keyOf={({ deliveryId }) => deliveryId}
              openKey={opened?.deliveryId}
              onOpen={(delivery) => setOpened(delivery)}
              {...list.more}
            />
          )
        }
      </Loaded>
      <DetailsDrawer
        item={opened}
        onClose={() => setOpened(undefined)}
        title={(delivery) => delivery.notificationType}
        size="xl"
      >
        {(delivery) => <DeliveryDetails delivery={delivery} />}
      </DetailsDrawer>
    </Stack>
  )
}

function DeliveryDetails({ delivery }: { delivery: Delivery }) {
  return (
    <Stack>
      <DefinitionList
        entries={[
          ['State', <State key="state" state={delivery.state} />],
          ['Event', <Moment key="event" time={delivery.eventTime} />],
          ['Sent', delivery.sentAt && <Moment key="sent" time={delivery.sentAt} />],
          ['Next attempt', delivery.state === 'PENDING' ? <Moment key="due" time={delivery.dueAt} /> : undefined],
          ['Attempts', delivery.attempts],
          ['Last error', delivery.lastError],
          ['Destination', describe(delivery.destination)],
          ['Application', delivery.applicationId],
          ['Notification id', delivery.deliveryId],
        ]}
      />
      <JsonView value={delivery.payload} label="Payload" />
    </Stack>
  )
}

const STATES = {
  PENDING: { label: 'Pending', color: 'gray', Icon: IconClock },
  DEAD: { label: 'Given up', color: 'red', Icon: IconAlertTriangle },
  SENT: { label: 'Sent', color: 'teal', Icon: IconCheck },
}

function State({ state }: { state: Delivery['state'] }) {
  const { label, color, Icon } = STATES[state]
  return (
    <Badge variant="light" color={color} leftSection={<Icon size={12} aria-hidden />} tt="none">
      {label}
    </Badge>
  )
}

const describe = (destination: Delivery['destination']) =>
  destination && `${destination.name} (${destination.kind === 'sqs' ? 'queue' : 'event bus'})`

const COLUMNS: readonly Column<Delivery>[] = [
  { header: 'Type', cell: ({ notificationType }) => <span title={notificationType}>{notificationType}</span> },
  { header: 'State', width: '120px', cell: ({ state }) => <State state={state} /> },
  { header: 'Event', width: '210px', cell: ({ eventTime }) => <Moment time={eventTime} /> },
  { header: 'Destination', width: '150px', cell: ({ destination }) => destination?.name ?? 'Deleted' },
  { header: 'Attempts', width: '90px', align: 'end', cell: ({ attempts }) => attempts },
  { header: 'Last error', cell: ({ lastError }) => <span title={lastError}>{lastError ?? '–'}</span> },
]
