import { Paper, Table, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Moment } from '../../ui/moment.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { dueQuery } from './queries.ts'

/** What happens by itself once the clock reaches its time. */
export function DueCard() {
  const due = useQuery(dueQuery)
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h4" mb="xs">
        Due next
      </Title>
      <Loaded query={due}>
        {({ due: events, now }) =>
          events.length === 0 ? (
            <Empty>Nothing is due. Request a report, or start the living market.</Empty>
          ) : (
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th w={220} visibleFrom="sm">
                    Time
                  </Table.Th>
                  <Table.Th w={110} visibleFrom="sm">
                    In
                  </Table.Th>
                  <Table.Th>What happens</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {events.map(({ kind, id, time, description }) => {
                  const wait = spellWait(Date.parse(time) - Date.parse(now))
                  return (
                    <Table.Tr key={`${kind} ${id}`}>
                      <Table.Td visibleFrom="sm">
                        <Moment time={time} />
                      </Table.Td>
                      <Table.Td visibleFrom="sm">{wait}</Table.Td>
                      <Table.Td style={{ overflowWrap: 'anywhere' }}>
                        {/* A phone has no room for columns. */}
                        <Text size="xs" c="dimmed" component="div" hiddenFrom="sm">
                          <Moment time={time} />, in {wait}
                        </Text>
                        {description}{' '}
                        <Text span size="xs" c="dimmed">
                          {kind}
                        </Text>
                      </Table.Td>
                    </Table.Tr>
                  )
                })}
              </Table.Tbody>
            </Table>
          )
        }
      </Loaded>
    </Paper>
  )
}

const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
] as const

function spellWait(milliseconds: number): string {
  const [size, name] = UNITS.find(([unit]) => milliseconds >= unit) ?? [1_000, 's']
  return `${Math.round(milliseconds / size)} ${name}`
}
