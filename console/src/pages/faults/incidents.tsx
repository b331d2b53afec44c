import { Anchor, Badge, Button, Group, Paper, SimpleGrid, Stack, Switch, Text, Title } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { controlPlane } from '../../api/client.ts'
import type { paths } from '../../api/generated/control-plane.d.ts'
import { useSeller } from '../../api/session.ts'
import { useAct } from '../../ui/act.ts'
import { Loaded } from '../../ui/states.tsx'

type Incident = paths['/_souk/incidents']['get']['responses'][200]['content']['application/json']['incidents'][number]

export function Incidents({ query }: { query: UseQueryResult<Incident[]> }) {
  const { seller } = useSeller()
  const [isNarrow, setIsNarrow] = useState(false)
  const endAll = useAct({ run: () => controlPlane.DELETE('/_souk/incidents'), done: 'All incidents have ended.' })
  const sellerId = isNarrow ? seller?.sellerId : undefined
  return (
    <Loaded query={query}>
      {(incidents) => (
        <Stack gap="md">
          <Group>
            {seller && (
              <Switch
                label={`Start only for ${seller.name}`}
                checked={isNarrow}
                onChange={({ currentTarget }) => setIsNarrow(currentTarget.checked)}
              />
            )}
            <Button
              size="xs"
              variant="light"
              disabled={incidents.every(({ faults }) => faults.length === 0)}
              loading={endAll.isPending}
              onClick={() => endAll.mutate()}
            >
              End all
            </Button>
          </Group>
          <SimpleGrid cols={{ base: 1, md: 2, xl: 3 }} spacing="sm">
            {incidents.map((incident) => (
              <IncidentCard key={incident.name} incident={incident} sellerId={sellerId} />
            ))}
          </SimpleGrid>
        </Stack>
      )}
    </Loaded>
  )
}

function IncidentCard({ incident, sellerId }: { incident: Incident; sellerId: string | undefined }) {
  const { name, summary, page, hasSeller, active, faults } = incident
  const isForSeller = sellerId !== undefined && hasSeller
  const path = { name }
  const start = useAct({
    run: () =>
      controlPlane.POST('/_souk/incidents/{name}', {
        params: { path },
        body: isForSeller ? { match: { sellerId } } : {},
      }),
    done: `${name} has begun.`,
  })
  const end = useAct({
    run: () => controlPlane.DELETE('/_souk/incidents/{name}', { params: { path } }),
    done: `${name} has ended.`,
  })
  const hits = faults.reduce((sum, fault) => sum + fault.hits, 0)
  return (
    <Paper withBorder p="md">
      <Stack gap="xs" h="100%" justify="space-between">
        <div>
          <Group gap="xs">
            <Title order={3} size="h6">
              {name}
            </Title>
            {faults.length > 0 && (
              <Badge color={active ? 'red' : 'gray'}>
                {active ? 'active' : 'over'}, {hits} {hits === 1 ? 'hit' : 'hits'}
              </Badge>
            )}
          </Group>
          <Text size="sm">{summary}.</Text>
          {sellerId !== undefined && !hasSeller && (
            <Text size="sm" c="dimmed">
              Starts for all sellers: a link to a document has none.
            </Text>
          )}
        </div>
        <Group justify="space-between">
          <Anchor href={page} target="_blank" size="sm">
            What happened, and what helps
          </Anchor>
          {active ? (
            <Button
              size="xs"
              color="red"
              loading={end.isPending}
              onClick={() => end.mutate()}
              aria-label={`End ${name}`}
            >
              End
            </Button>
          ) : (
            <Button
              size="xs"
              variant="default"
              loading={start.isPending}
              onClick={() => start.mutate()}
              aria-label={`Start ${name}`}
            >
              Start
            </Button>
          )}
        </Group>
      </Stack>
    </Paper>
  )
}
