import { Badge, Button, Group, NumberInput, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { controlPlane } from '../../api/client.ts'
import { useAct } from '../../ui/act.ts'
import { Moment } from '../../ui/moment.tsx'
import { Loaded } from '../../ui/states.tsx'
import { lifeQuery } from './queries.ts'

const COUNTS = [
  ['orders', 'orders'],
  ['shipments', 'shipped'],
  ['deliveries', 'delivered'],
  ['cancellations', 'canceled'],
  ['returns', 'returned'],
  ['feedback', 'rated'],
  ['offerChanges', 'competitor price changes'],
  ['restocks', 'restocked'],
] as const

const DEFAULT_ORDERS_PER_DAY = 50
const MAX_ORDERS_PER_DAY = 100_000

/** Buyers, carriers and competitors who act by themselves. */
export function LifeCard() {
  const life = useQuery(lifeQuery)
  const stop = useAct({ run: () => controlPlane.DELETE('/_souk/life'), done: 'The living market has stopped.' })
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Title order={2} size="h4">
          Living market
        </Title>
        <Loaded query={life}>
          {({ isRunning, options, until, startedAt, counts }) => (
            <>
              <Text size="sm" c="dimmed">
                Competitors change prices, buyers order, cancel, return and rate, and carriers deliver, by the clock.
              </Text>
              {isRunning ? (
                <Group gap="xs">
                  <Badge color="teal">On</Badge>
                  <Text size="sm">{options?.ordersPerDay} orders per day</Text>
                  <Button ml="auto" variant="default" loading={stop.isPending} onClick={() => stop.mutate()}>
                    Stop
                  </Button>
                </Group>
              ) : (
                <StartLife />
              )}
              {startedAt !== undefined && (
                <>
                  <Text size="sm">
                    From <Moment time={startedAt} />
                    {until !== undefined && (
                      <>
                        {' to '}
                        <Moment time={until} />
                      </>
                    )}
                    :
                  </Text>
                  <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="xs">
                    {COUNTS.map(([name, label]) => (
                      <div key={name}>
                        <Text fw={600}>{counts[name]}</Text>
                        <Text size="xs" c="dimmed">
                          {label}
                        </Text>
                      </div>
                    ))}
                  </SimpleGrid>
                </>
              )}
            </>
          )}
        </Loaded>
      </Stack>
    </Paper>
  )
}

function StartLife() {
  const [ordersPerDay, setOrdersPerDay] = useState<number | string>(DEFAULT_ORDERS_PER_DAY)
  const start = useAct({
    run: () => controlPlane.POST('/_souk/life', { body: { ordersPerDay: Number(ordersPerDay) } }),
    done: 'The market lives. Advance the clock to see it trade.',
  })
  return (
    <Group
      component="form"
      gap="xs"
      align="flex-end"
      onSubmit={(event) => {
        event.preventDefault()
        start.mutate()
      }}
    >
      <NumberInput
        label="Orders per day"
        value={ordersPerDay}
        onChange={setOrdersPerDay}
        min={0}
        max={MAX_ORDERS_PER_DAY}
        w={140}
      />
      <Button type="submit" loading={start.isPending} disabled={ordersPerDay === ''}>
        Start
      </Button>
    </Group>
  )
}
