import { Button, Group, Modal, Select, Stack } from '@mantine/core'
import { useState } from 'react'
import { service } from '../../api/client.ts'
import { findNotificationType, NOTIFICATION_TYPES } from '../../api/notification-types.ts'
import { useAct } from '../../ui/act.ts'
import { type Destination, transportOf } from './queries.ts'

export function SendTest({ destination, onClose }: { destination: Destination | undefined; onClose(): void }) {
  return (
    <Modal opened={destination !== undefined} onClose={onClose} title={`Send a test to ${destination?.name ?? ''}`}>
      {destination && <TestForm destination={destination} onClose={onClose} />}
    </Modal>
  )
}

function TestForm({ destination, onClose }: { destination: Destination; onClose(): void }) {
  const types = NOTIFICATION_TYPES.filter(({ transport }) => transport === transportOf(destination))
  const [notificationType, setType] = useState(types.find(({ sentWhen }) => sentWhen)?.name ?? '')
  const versions = findNotificationType(notificationType)?.payloadVersions ?? []
  const [chosenVersion, setVersion] = useState<string>()
  const payloadVersion = chosenVersion ?? versions.at(-1) ?? ''
  const send = useAct({
    run: () =>
      service.POST('/notifications/v1/subscriptions/{notificationType}/testNotification', {
        params: { path: { notificationType } },
        body: { destinationId: destination.destinationId, testNotification: { payloadVersion } },
      }),
    done: 'The test notification is on its way.',
    changes: [['localQueues'], ['localMessages'], ['eventBus'], ['deliveries']],
    onDone: onClose,
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        send.mutate()
      }}
    >
      <Stack>
        <Select
          label="Type"
          description="A sample in the format of the type. It needs no subscription."
          required
          allowDeselect={false}
          searchable
          data={types.map(({ name }) => name)}
          value={notificationType}
          onChange={(name) => {
            if (name === null) return
            setType(name)
            setVersion(undefined)
          }}
          data-autofocus
        />
        <Select
          label="Payload version"
          required
          allowDeselect={false}
          data={[...versions]}
          value={payloadVersion}
          onChange={(version) => version !== null && setVersion(version)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button type="submit" loading={send.isPending}>
            Send
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
