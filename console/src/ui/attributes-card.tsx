import { Card, Group, SegmentedControl, Table, Tabs, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { type Attributes, describeEntry, inLanguage, languageName, languageOf, languagesOf } from './attributes.ts'
import { JsonView } from './json-view.tsx'

const ALL = 'all'

/** Attributes as a table and as JSON. If they are in several languages, the viewer can choose one. */
export function AttributesCard({ attributes }: { attributes: Attributes }) {
  const languages = languagesOf(attributes)
  const [chosen, setChosen] = useState(ALL)
  const language = languages.includes(chosen) ? chosen : undefined
  return (
    <Card withBorder component="section" aria-labelledby="attributes">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4" id="attributes">
          Attributes
        </Title>
        {languages.length > 1 && (
          <SegmentedControl
            size="xs"
            aria-label="Language"
            data={[
              { value: ALL, label: 'All languages' },
              ...languages.map((tag) => ({ value: tag, label: languageName(tag) })),
            ]}
            value={language ?? ALL}
            onChange={setChosen}
          />
        )}
      </Group>
      <Tabs defaultValue="values" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="values">Values</Tabs.Tab>
          <Tabs.Tab value="json">JSON</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="values" pt="xs">
          <Values attributes={inLanguage(attributes, language)} namesLanguages={languages.length > 1 && !language} />
        </Tabs.Panel>
        <Tabs.Panel value="json" pt="xs">
          <JsonView value={inLanguage(attributes, language)} label="Attributes as JSON" />
        </Tabs.Panel>
      </Tabs>
    </Card>
  )
}

function Values({ attributes, namesLanguages }: { attributes: Attributes; namesLanguages: boolean }) {
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
                <Value key={JSON.stringify(entry)} entry={entry} namesLanguage={namesLanguages} />
              ))}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function Value({ entry, namesLanguage }: { entry: unknown; namesLanguage: boolean }) {
  const tag = languageOf(entry)
  return (
    <Text size="sm" {...(tag !== undefined && { lang: tag.replace('_', '-') })}>
      {describeEntry(entry)}
      {namesLanguage && tag !== undefined && (
        <Text span size="xs" c="dimmed" lang="en">
          {` (${languageName(tag)})`}
        </Text>
      )}
    </Text>
  )
}
