import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { LoadedDocument } from '../../api/documents/signed-document.ts'
import { JsonView, TextView } from '../../ui/json-view.tsx'
import { formatBytes, saveFile } from '../../ui/save-file.ts'
import { Loaded } from '../../ui/states.tsx'
import { resultQuery, submittedQuery } from './queries.ts'

export function ResultDocument({ resultId }: { resultId: string }) {
  const query = useQuery(resultQuery(resultId))
  return <Loaded query={query}>{(document) => <WholeDocument document={document} name="feed-result" />}</Loaded>
}

export function SubmittedDocument({ feedId }: { feedId: string }) {
  const query = useQuery(submittedQuery(feedId))
  return <Loaded query={query}>{(document) => <WholeDocument document={document} name={`feed-${feedId}`} />}</Loaded>
}

/** Formatting more would freeze the page. */
const MAX_FORMATTED = 2_000_000

function WholeDocument({ document, name }: { document: LoadedDocument; name: string }) {
  const { text, content, contentType, isCut } = document
  const isXml = /^\s*</.test(text)
  const isFormatted = !isXml && text.length <= MAX_FORMATTED
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {formatBytes(content.size)} of {contentType}
        </Text>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => saveFile(content, `${name}.${isXml ? 'xml' : 'json'}`)}
        >
          {isCut ? 'Save the beginning' : 'Save'}
        </Button>
      </Group>
      {isCut && (
        <Alert color="yellow" title="This is the beginning of the document">
          It is larger than this page can show.
        </Alert>
      )}
      {isFormatted ? <JsonView value={text} label="Document" /> : <TextView text={text} label="Document" />}
    </Stack>
  )
}
