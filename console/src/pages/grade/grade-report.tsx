import { Badge, Group, Table, Text } from '@mantine/core'
import { TextView } from '../../ui/json-view.tsx'
import type { GradeCase, Verdict } from './junit-report.ts'

const COLORS: Record<Verdict, string> = { passed: 'teal', failed: 'red', 'not exercised': 'gray' }

export function GradeReport({ cases }: { cases: readonly GradeCase[] }) {
  const counts = Object.keys(COLORS).map((verdict) => [verdict, cases.filter((one) => one.verdict === verdict).length])
  return (
    <>
      <Text role="status">{counts.map(([verdict, count]) => `${count} ${verdict}`).join(', ')}</Text>
      <Table.ScrollContainer minWidth={480}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Run or check</Table.Th>
              <Table.Th w={160}>Verdict</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {cases.map(({ title, verdict, summary, details }) => (
              <Table.Tr key={title} style={{ verticalAlign: 'top' }}>
                <Table.Td>
                  {title}
                  {summary && (
                    <Text size="sm" c="dimmed">
                      {summary}
                    </Text>
                  )}
                  {details && <TextView label={`violations of ${title}`} text={details} />}
                </Table.Td>
                <Table.Td>
                  <Group>
                    <Badge variant="light" color={COLORS[verdict]} c="inherit">
                      {verdict}
                    </Badge>
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </>
  )
}
