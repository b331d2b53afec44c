import { Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { service } from '../../api/client.ts'
import { describeNotificationType, findNotificationType } from '../../api/notification-types.ts'
import { useSession } from '../../api/session.ts'
import { useAct } from '../../ui/act.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { DetailsDrawer } from '../../ui/details-drawer.tsx'
import { JsonView } from '../../ui/json-view.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { CreateSubscription } from './create-subscription.tsx'
import { type Subscription, subscriptionsQuery, useDestinations } from './queries.ts'

export function Subscriptions() {
  const { hasControlPlane } = useSession()
  const query = useQuery(subscriptionsQuery)
  const destinations = useDestinations().data
  const [isFormOpen, form] = useDisclosure(false)
  const [opened, setOpened] = useState<Subscription>()
  const { mutate: remove } = useAct({
    run: ({ notificationType, subscriptionId }: Subscription) =>
      service.DELETE('/notifications/v1/subscriptions/{notificationType}/{subscriptionId}', {
        params: { path: { notificationType, subscriptionId } },
      }),
    done: 'The subscription is deleted.',
    changes: [['subscriptions'], ['deliveries']],
  })
  const names = useMemo(() => new Map(destinations?.map((one) => [one.destinationId, one.name])), [destinations])
  const columns = useMemo(() => columnsOf(names, remove), [names, remove])
  return (
    <Stack>
      {hasControlPlane ? (
        <Group justify="flex-end">
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={form.open}>
            New subscription
          </Button>
        </Group>
      ) : (
        <Text size="sm" c="dimmed">
          Applications that you authorized subscribe to your notifications, and have them sent to their own queues. Here
          you see what is sent to whom, and can end it.
        </Text>
      )}
      <Loaded query={query}>
        {(subscriptions) =>
          subscriptions.length === 0 ? (
            <Empty action={hasControlPlane && <Button onClick={form.open}>New subscription</Button>}>
              A subscription has Souk send the notifications of one type to a destination.
            </Empty>
          ) : (
            <DataTable
              label="Subscriptions"
              minWidth={860}
              columns={columns}
              rows={subscriptions}
              keyOf={({ subscriptionId }) => subscriptionId}
              openKey={opened?.subscriptionId}
              onOpen={(subscription) => setOpened(subscription)}
            />
          )
        }
      </Loaded>
      <DetailsDrawer item={opened} onClose={() => setOpened(undefined)} title={(one) => one.notificationType}>
        {(subscription) => <SubscriptionDetails subscription={subscription} names={names} />}
      </DetailsDrawer>
      <CreateSubscription isOpen={isFormOpen} onClose={form.close} />
    </Stack>
  )
}

interface DetailsProps {
  subscription: Subscription
  names: ReadonlyMap<string, string>
}

function SubscriptionDetails({ subscription, names }: DetailsProps) {
  const { notificationType, payloadVersion, destinationId, subscriptionId, processingDirective } = subscription
  const type = findNotificationType(notificationType)
  return (
    <Stack>
      <DefinitionList
        entries={[
          ['Sent', type && describeNotificationType(type)],
          ['Payload version', payloadVersion],
          ['Destination', names.get(destinationId) ?? destinationId],
          ['Id', subscriptionId],
        ]}
      />
      {processingDirective && <JsonView value={processingDirective} label="Filter" />}
    </Stack>
  )
}

const columnsOf = (
  names: ReadonlyMap<string, string>,
  remove: (subscription: Subscription) => void,
): Column<Subscription>[] => [
  { header: 'Type', cell: ({ notificationType }) => <span title={notificationType}>{notificationType}</span> },
  { header: 'Version', width: '110px', cell: ({ payloadVersion }) => payloadVersion },
  {
    header: 'Destination',
    width: '200px',
    cell: ({ destinationId }) => <span title={destinationId}>{names.get(destinationId) ?? destinationId}</span>,
  },
  { header: 'Filter', width: '200px', cell: ({ processingDirective }) => describeFilter(processingDirective) },
  {
    header: 'Actions',
    width: '100px',
    align: 'end',
    cell: (subscription) => (
      <ConfirmButton
        color="red"
        variant="subtle"
        question="Delete this subscription, and its notifications that have not arrived?"
        verb="Delete"
        onConfirm={() => remove(subscription)}
      >
        Delete
      </ConfirmButton>
    ),
  },
]

function describeFilter(directive: Subscription['processingDirective']): string {
  if (directive?.filterExpression !== undefined) return directive.filterExpression
  if (!directive?.eventFilter) return 'None'
  const { eventFilterType: _, ...settings } = directive.eventFilter
  return Object.values(settings).map(describeSetting).join('; ') || 'None'
}

const describeSetting = (setting: object): string =>
  Object.values(setting)
    .map((value) => (typeof value === 'object' ? describeSetting(value) : value))
    .join(', ')
