import { Button, Group, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { service } from '../../api/client.ts'
import { useAct } from '../../ui/act.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { CreateDestination } from './create-destination.tsx'
import { type Destination, describeDestination, transportOf, useDestinations } from './queries.ts'
import { SendTest } from './send-test.tsx'

export function Destinations() {
  const query = useDestinations()
  const [isFormOpen, form] = useDisclosure(false)
  const [tested, setTested] = useState<Destination>()
  const { mutate: remove } = useAct({
    run: (destinationId: string) =>
      service.DELETE('/notifications/v1/destinations/{destinationId}', { params: { path: { destinationId } } }),
    done: 'The destination is deleted.',
    changes: [['destinations']],
  })
  const columns = useMemo(() => columnsOf(setTested, remove), [remove])
  return (
    <Stack>
      <Group justify="flex-end">
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={form.open}>
          New destination
        </Button>
      </Group>
      <Loaded query={query}>
        {(destinations) =>
          destinations.length === 0 ? (
            <Empty>A destination is a queue or an event bus to which notifications are sent.</Empty>
          ) : (
            <DataTable
              label="Destinations"
              minWidth={900}
              columns={columns}
              rows={destinations}
              keyOf={({ destinationId }) => destinationId}
            />
          )
        }
      </Loaded>
      <CreateDestination isOpen={isFormOpen} onClose={form.close} />
      <SendTest destination={tested} onClose={() => setTested(undefined)} />
    </Stack>
  )
}

const columnsOf = (
  test: (destination: Destination) => void,
  remove: (destinationId: string) => void,
): Column<Destination>[] => [
  { header: 'Name', width: '180px', cell: ({ name }) => name },
  { header: 'Kind', width: '120px', cell: (one) => (transportOf(one) === 'sqs' ? 'Queue' : 'Event bus') },
  { header: 'Resource', cell: (one) => <span title={describeDestination(one)}>{describeDestination(one)}</span> },
  { header: 'Id', width: '140px', cell: ({ destinationId }) => <span title={destinationId}>{destinationId}</span> },
  {
    header: 'Actions',
    width: '190px',
    align: 'end',
    cell: (one) => (
      <Group gap={4} justify="flex-end" wrap="nowrap">
        <Button size="xs" variant="subtle" onClick={() => test(one)}>
          Send a test
        </Button>
        <ConfirmButton
          color="red"
          variant="subtle"
          question="Delete this destination? It must have no subscriptions."
          verb="Delete"
          onConfirm={() => remove(one.destinationId)}
        >
          Delete
        </ConfirmButton>
      </Group>
    ),
  },
]
