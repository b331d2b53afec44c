import { Button, Group, Table, TextInput } from '@mantine/core'
import { IconCameraPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { controlPlane } from '../../api/client.ts'
import { useAct } from '../../ui/act.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { useReplacedState } from './replaced-state.ts'
import { Section } from './section.tsx'
import { snapshotsQuery } from './snapshots-query.ts'

export function Snapshots() {
  const snapshots = useQuery(snapshotsQuery)
  return (
    <Section
      title="Snapshots"
      about="A snapshot is kept in the data folder and survives a restart. Fault rules are not part of it."
    >
      <TakeSnapshot names={snapshots.data?.map(({ name }) => name) ?? []} />
      <Loaded query={snapshots}>
        {(list) =>
          list.length === 0 ? (
            <Empty>There are no snapshots. Take one before you try something.</Empty>
          ) : (
            <Table.ScrollContainer minWidth={560}>
              <Table>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>Name</Table.Th>
                    <Table.Th>Marketplace time</Table.Th>
                    <Table.Th>Version</Table.Th>
                    <Table.Th aria-label="Actions" />
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {list.map(({ name, time, version }) => (
                    <Table.Tr key={name}>
                      <Table.Td>{name}</Table.Td>
                      <Table.Td>
                        <Moment time={time} />
                      </Table.Td>
                      <Table.Td>{version}</Table.Td>
                      <Table.Td>
                        <SnapshotActions name={name} />
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          )
        }
      </Loaded>
    </Section>
  )
}

function TakeSnapshot({ names }: { names: readonly string[] }) {
  const [name, setName] = useState('')
  const isKnown = names.includes(name)
  const take = useAct({
    run: (replace: boolean) => controlPlane.POST('/_souk/snapshots', { body: { name, replace } }),
    done: `The snapshot ${name} is taken.`,
    changes: [snapshotsQuery.queryKey],
    onDone: () => setName(''),
  })
  return (
    <Group
      component="form"
      gap="xs"
      onSubmit={(event) => {
        event.preventDefault()
        if (name !== '' && !isKnown) take.mutate(false)
      }}
    >
      <TextInput
        aria-label="Name of the snapshot"
        placeholder="before-the-sale"
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        maxLength={64}
        w={220}
      />
      {isKnown ? (
        <ConfirmButton
          size="sm"
          loading={take.isPending}
          question={`Replace the snapshot “${name}” by the current state?`}
          verb="Replace"
          onConfirm={() => take.mutate(true)}
        >
          Replace
        </ConfirmButton>
      ) : (
        <Button
          type="submit"
          disabled={name === ''}
          loading={take.isPending}
          leftSection={<IconCameraPlus size={16} aria-hidden />}
        >
          Take a snapshot
        </Button>
      )}
    </Group>
  )
}

function SnapshotActions({ name }: { name: string }) {
  const params = { path: { name } }
  const replaced = useReplacedState()
  const restore = useAct({
    run: async () => {
      await controlPlane.POST('/_souk/snapshots/{name}/restore', { params, body: null })
      await replaced()
    },
    done: `The marketplace is as in ${name}.`,
    changes: [],
  })
  const remove = useAct({
    run: () => controlPlane.DELETE('/_souk/snapshots/{name}', { params }),
    done: `The snapshot ${name} is deleted.`,
    changes: [snapshotsQuery.queryKey],
  })
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <ConfirmButton
        loading={restore.isPending}
        question={`Replace the whole marketplace by the snapshot “${name}”? What happened since then is lost.`}
        verb="Restore"
        aria-label={`Restore ${name}`}
        onConfirm={() => restore.mutate()}
      >
        Restore
      </ConfirmButton>
      <ConfirmButton
        color="red"
        loading={remove.isPending}
        question={`Delete the snapshot “${name}”?`}
        verb="Delete"
        aria-label={`Delete ${name}`}
        onConfirm={() => remove.mutate()}
      >
        Delete
      </ConfirmButton>
    </Group>
  )
}
