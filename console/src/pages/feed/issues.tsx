import { Badge, Button, Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconInfoCircle, IconTool } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { FeedData } from '../../api/feed.ts'
import { LISTINGS_FEED } from '../../api/feed-types.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { DetailsDrawer } from '../../ui/details-drawer.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { FixMessages } from './fix-messages.tsx'
import { resultQuery } from './queries.ts'
import { type FeedIssue, type FeedResult, isError } from './result.ts'
import { type FeedSearch, feedRoute } from './route.ts'

interface IssuesProps {
  feed: FeedData
  resultId: string
  onChange(search: FeedSearch): void
}

/** What became of the messages of a feed. */
export function Issues({ feed, resultId, onChange }: IssuesProps) {
  const query = useQuery(resultQuery(resultId))
  return <Loaded query={query}>{(result) => <IssueList feed={feed} result={result} onChange={onChange} />}</Loaded>
}

interface NumberedIssue extends FeedIssue {
  /** A message can have several issues. */
  key: string
}

function IssueList({
  feed,
  result,
  onChange,
}: {
  feed: FeedData
  result: FeedResult
  onChange: IssuesProps['onChange']
}) {
  const { fix } = feedRoute.useSearch()
  const [opened, setOpened] = useState<NumberedIssue>()
  const issues = useMemo(
    () => result.issues.map((issue, index): NumberedIssue => ({ ...issue, key: String(index) })),
    [result],
  )
  const failed = useMemo(() => groupFailed(result.issues), [result])
  const isFixable = feed.feedType === LISTINGS_FEED && failed.size > 0

  return (
    <Stack>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }}>
        {result.counts.map(([label, count]) => (
          <Paper key={label} withBorder p="sm">
            <Text size="sm" c="dimmed">
              {label}
            </Text>
            <Text size="xl" fw={600}>
              {count.toLocaleString()}
            </Text>
          </Paper>
        ))}
      </SimpleGrid>
      {isFixable && (
        <Group>
          <Button leftSection={<IconTool size={16} aria-hidden />} onClick={() => onChange({ fix: 'open' })}>
            Fix and submit again
          </Button>
          <Text size="sm" c="dimmed">
            {failed.size === 1 ? 'One message was' : `${failed.size.toLocaleString()} messages were`} not accepted.
          </Text>
        </Group>
      )}
      {issues.length === 0 ? (
        <Empty>All messages were accepted.</Empty>
      ) : (
        <DataTable
          label="Issues"
          minWidth={900}
          columns={COLUMNS}
          rows={issues}
          keyOf={({ key }) => key}
          openKey={opened?.key}
          onOpen={(issue) => setOpened(issue)}
        />
      )}
      <DetailsDrawer
        item={opened}
        onClose={() => setOpened(undefined)}
        title={({ messageId }) => (messageId === undefined ? 'Whole document' : `Message ${messageId}`)}
        size="md"
      >
        {(issue) => (
          <DefinitionList
            entries={[
              ['Severity', <Severity key="severity" issue={issue} />],
              ['SKU', issue.sku],
              ['Code', issue.code],
              ['Attribute', issue.attributeName],
              ['Message', issue.message],
            ]}
          />
        )}
      </DetailsDrawer>
      {isFixable && (
        <FixMessages isOpen={fix === 'open'} onClose={() => onChange({ fix: undefined })} feed={feed} failed={failed} />
      )}
    </Stack>
  )
}

function groupFailed(issues: readonly FeedIssue[]): ReadonlyMap<number, FeedIssue[]> {
  const failed = new Map<number, FeedIssue[]>()
  for (const issue of issues) {
    if (!isError(issue) || issue.messageId === undefined) continue
    const before = failed.get(issue.messageId)
    if (before) before.push(issue)
    else failed.set(issue.messageId, [issue])
  }
  return failed
}

function Severity({ issue }: { issue: FeedIssue }) {
  const isBad = isError(issue)
  const Icon = isBad ? IconAlertTriangle : IconInfoCircle
  return (
    <Badge variant="light" color={isBad ? 'red' : 'yellow'} leftSection={<Icon size={12} aria-hidden />} tt="none">
      {isBad ? 'Error' : 'Warning'}
    </Badge>
  )
}

const COLUMNS: readonly Column<NumberedIssue>[] = [
  { header: 'Severity', width: '120px', cell: (issue) => <Severity issue={issue} /> },
  { header: 'Message', width: '100px', cell: ({ messageId }) => messageId ?? 'All' },
  { header: 'SKU', width: '160px', cell: ({ sku }) => sku ?? '–' },
  { header: 'Code', width: '110px', cell: ({ code }) => code },
  { header: 'Attribute', width: '170px', cell: ({ attributeName }) => attributeName ?? '–' },
  { header: 'What is wrong', cell: ({ message }) => <span title={message}>{message}</span> },
]
