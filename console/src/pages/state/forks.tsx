import { Anchor, Button, Code, Collapse, Group, Paper, Select, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconExternalLink, IconGitFork } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { bodyOf, controlPlane } from '../../api/client.ts'
import type { paths } from '../../api/generated/control-plane.d.ts'
import { useAct } from '../../ui/act.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { JsonView } from '../../ui/json-view.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { Section } from './section.tsx'
import { snapshotsQuery } from './snapshots-query.ts'

type Fork = paths['/_souk/forks']['get']['responses'][200]['content']['application/json']['forks'][number]

const FORKS = ['forks']

export function Forks() {
  const forks = useQuery({
    queryKey: FORKS,
    queryFn: async () => (await bodyOf(controlPlane.GET('/_souk/forks'))).forks,
  })
  return (
    <Section
      title="Forks"
      about="A fork is an isolated copy of the marketplace in memory, with an address and credentials of its own: one for each parallel test."
    >
      <CreateFork />
      <Loaded query={forks}>
        {(list) =>
          list.length === 0 ? (
            <Empty>There are no forks.</Empty>
          ) : (
            <Stack gap="sm">
              {list.map((fork) => (
                <ForkCard key={fork.id} fork={fork} />
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Section>
  )
}

function CreateFork() {
  const snapshots = useQuery(snapshotsQuery)
  const [snapshot, setSnapshot] = useState<string | null>(null)
  const create = useAct({
    run: () => bodyOf(controlPlane.POST('/_souk/forks', { body: snapshot === null ? {} : { snapshot } })),
    done: ({ url }) => `The fork runs at ${url}.`,
    changes: [FORKS],
  })
  return (
    <Group gap="xs">
      <Select
        aria-label="State that the fork begins with"
        placeholder="The current state"
        data={snapshots.data?.map(({ name }) => name) ?? []}
        value={snapshot}
        onChange={setSnapshot}
        clearable
        w={220}
      />
      <Button
        loading={create.isPending}
        leftSection={<IconGitFork size={16} aria-hidden />}
        onClick={() => create.mutate()}
      >
        Create a fork
      </Button>
    </Group>
  )
}

function ForkCard({ fork: { id, url, queueUrl, demo, applications, operatorKey } }: { fork: Fork }) {
  const [isOpen, { toggle }] = useDisclosure(false)
  const stop = useAct({
    run: () => controlPlane.DELETE('/_souk/forks/{id}', { params: { path: { id } } }),
    done: 'The fork has stopped.',
    changes: [FORKS],
  })
  return (
    <Paper withBorder p="sm" component="article" aria-label={`Fork ${id}`}>
      <Group justify="space-between">
        <div>
          <Title order={3} size="h6">
            Fork {id}
          </Title>
          <Text size="sm">
            API <Code>{url}</Code>, queue <Code>{queueUrl}</Code>
          </Text>
        </div>
        <Group gap="xs">
          <Anchor href={`${url}/console/`} target="_blank" size="sm">
            Look at this fork <IconExternalLink size={14} aria-hidden />
          </Anchor>
          <Button size="xs" variant="default" onClick={toggle} aria-expanded={isOpen}>
            Credentials
          </Button>
          <ConfirmButton
            color="red"
            loading={stop.isPending}
            question="Stop the fork and delete its data?"
            verb="Stop"
            aria-label={`Stop fork ${id}`}
            onConfirm={() => stop.mutate()}
          >
            Stop
          </ConfirmButton>
        </Group>
      </Group>
      <Collapse expanded={isOpen}>
        <JsonView label={`credentials of the fork ${id}`} value={demo ?? { applications, operatorKey }} />
      </Collapse>
    </Paper>
  )
}
