import { Alert, Button, Group, Modal, Select, Stack } from '@mantine/core'
import { useState } from 'react'
import { bodyOf, service } from '../../api/client.ts'
import { describeNotificationType, findNotificationType, NOTIFICATION_TYPES } from '../../api/notification-types.ts'
import { useAct } from '../../ui/act.ts'
import { type FilterDraft, FilterFields, NO_FILTER, toDirective } from './filter-fields.tsx'
import { transportOf, useDestinations } from './queries.ts'

export function CreateSubscription({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="New subscription" size="lg">
      <SubscriptionForm onClose={onClose} />
    </Modal>
  )
}

const TYPES = [
  {
    group: 'Sent when something happens',
    items: NOTIFICATION_TYPES.filter(({ sentWhen }) => sentWhen).map(({ name }) => name),
  },
  { group: 'Tests only', items: NOTIFICATION_TYPES.filter(({ sentWhen }) => !sentWhen).map(({ name }) => name) },
]

function SubscriptionForm({ onClose }: { onClose(): void }) {
  const destinations = useDestinations()
  const [notificationType, setNotificationType] = useState('ORDER_CHANGE')
  const [chosenVersion, setVersion] = useState<string>()
  const [chosenDestination, setDestination] = useState<string>()
  const [filter, setFilter] = useState<FilterDraft>(NO_FILTER)
  const type = findNotificationType(notificationType)
  const fitting = destinations.data?.filter((one) => transportOf(one) === type?.transport) ?? []
  const destinationId = chosenDestination ?? fitting[0]?.destinationId
  const payloadVersion = chosenVersion ?? type?.payloadVersions.at(-1) ?? ''

  const create = useAct({
    run: () =>
      bodyOf(
        service.POST('/notifications/v1/subscriptions/{notificationType}', {
          params: { path: { notificationType } },
          body: {
            payloadVersion,
            destinationId: destinationId ?? '',
            ...(type && { processingDirective: toDirective(filter, type) }),
          },
        }),
      ),
    done: 'The subscription is created.',
    changes: [['subscriptions']],
    onDone: onClose,
  })

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        create.mutate()
      }}
    >
      <Stack>
        <Select
          label="Type"
          description={type && describeNotificationType(type)}
          required
          allowDeselect={false}
          searchable
          data={TYPES}
          value={notificationType}
          onChange={(name) => {
            if (name === null) return
            setNotificationType(name)
            setVersion(undefined)
            setDestination(undefined)
            setFilter(NO_FILTER)
          }}
          data-autofocus
        />
        <Select
          label="Payload version"
          required
          allowDeselect={false}
          data={[...(type?.payloadVersions ?? [])]}
          value={payloadVersion}
          onChange={(version) => version !== null && setVersion(version)}
        />
        {destinations.data && fitting.length === 0 && (
          <Alert color="yellow" title="There is no destination for this type">
            Create {type?.transport === 'sqs' ? 'a queue' : 'an event bus'} on the tab Destinations first.
          </Alert>
        )}
        {fitting.length > 0 && (
          <Select
            label="Destination"
            required
            allowDeselect={false}
            data={fitting.map((one) => ({ value: one.destinationId, label: one.name }))}
            value={destinationId ?? null}
            onChange={(id) => id !== null && setDestination(id)}
          />
        )}
        {type && <FilterFields type={type} value={filter} onChange={setFilter} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button type="submit" loading={create.isPending} disabled={destinationId === undefined}>
            Subscribe
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
