import { Card, Table, Tabs, Text, Title } from '@mantine/core'
import { JsonView } from '../../ui/json-view.tsx'

type Attributes = Record<string, unknown[]>

export function AttributesCard({ attributes }: { attributes: Attributes }) {
  return (
    <Card withBorder component="section" aria-labelledby="attributes">
      <Title order={2} size="h4" mb="sm" id="attributes">
        Attributes
      </Title>
      <Tabs defaultValue="values" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="values">Values</Tabs.Tab>
          <Tabs.Tab value="json">JSON</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="values" pt="xs">
          <Values attributes={attributes} />
        </Tabs.Panel>
        <Tabs.Panel value="json" pt="xs">
          <JsonView value={attributes} label="Attributes as JSON" />
        </Tabs.Panel>
      </Tabs>
    </Card>
  )
}

function Values({ attributes }: { attributes: Attributes }) {
  return (
    <Table layout="fixed">
      <Table.Tbody>
        {Object.entries(attributes).map(([name, entries]) => (
          <Table.Tr key={name}>
            <Table.Th w="40%" style={{ overflowWrap: 'anywhere' }} scope="row">
              {name}
            </Table.Th>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              {entries.map((entry) => (
                <Text key={JSON.stringify(entry)} size="sm">
                  {describe(entry)}
                </Text>
              ))}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

/** The value of an entry, or all of it if it has no single value. Where it applies is known from the page. */
function describe(entry: unknown): string {
  if (typeof entry !== 'object' || entry === null) return String(entry)
  const { marketplace_id: _, ...rest } = entry as Record<string, unknown>
  const single = rest.value ?? rest.media_location
  return typeof single === 'string' || typeof single === 'number' ? String(single) : JSON.stringify(rest)
}
