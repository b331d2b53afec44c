import { Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** Names and values in two columns. Entries without a value are left out. */
export function DefinitionList({ entries }: { entries: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <Table withRowBorders={false} verticalSpacing={4} layout="fixed">
      <Table.Tbody>
        {entries.map(([name, value]) =>
          value === undefined || value === null ? null : (
            <Table.Tr key={name}>
              <Table.Th scope="row" fw={500} w={150} style={{ verticalAlign: 'top' }}>
                <Text span size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                  {name}
                </Text>
              </Table.Th>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
            </Table.Tr>
          ),
        )}
      </Table.Tbody>
    </Table>
  )
}
