import { Alert, Button, Checkbox, Drawer, Group, JsonInput, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { FeedData } from '../../api/feed.ts'
import { submitFeed } from '../../api/submit-feed.ts'
import { useAct } from '../../ui/act.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Loaded } from '../../ui/states.tsx'
import { applyCorrections, type Corrections, NO_CORRECTIONS, parseSubmitted, problemOf } from './corrections.ts'
import { submittedQuery } from './queries.ts'
import type { FeedIssue } from './result.ts'

interface FixMessagesProps {
  feed: FeedData
  /** The errors of each message that was not accepted. */
  failed: ReadonlyMap<number, FeedIssue[]>
}

export function FixMessages({ isOpen, onClose, ...props }: FixMessagesProps & { isOpen: boolean; onClose(): void }) {
  const query = useQuery({ ...submittedQuery(props.feed.feedId), enabled: isOpen })
  return (
    <Drawer opened={isOpen} onClose={onClose} position="right" size="xl" title="Fix and submit again">
      <Loaded query={query}>
        {({ text, contentType, isCut }) =>
          isCut ? (
            <Text>The submitted document is too large to be corrected here.</Text>
          ) : (
            <Editor text={text} contentType={contentType} {...props} />
          )
        }
      </Loaded>
    </Drawer>
  )
}

interface Row {
  messageId: number
  sku: string | undefined
  error: string
  state: 'unchanged' | 'changed' | 'left out' | 'invalid'
}

function Editor({ feed, failed, text, contentType }: FixMessagesProps & { text: string; contentType: string }) {
  const navigate = useNavigate()
  const submitted = useMemo(() => parseSubmitted(text), [text])
  const [corrections, setCorrections] = useState<Corrections>(NO_CORRECTIONS)
  const failedIds = useMemo(() => new Set(failed.keys()), [failed])
  const rows = useMemo(
    () =>
      submitted.messages
        .filter(({ messageId }) => failed.has(messageId))
        .map(({ messageId, sku }): Row => {
          const error = failed.get(messageId)?.[0]?.message ?? ''
          return { messageId, sku, error, state: stateOf(messageId, corrections) }
        }),
    [submitted, failed, corrections],
  )
  const [openedId, setOpenedId] = useState<number | undefined>(rows[0]?.messageId)
  const included = rows.filter(({ state }) => state !== 'left out')
  const hasInvalid = included.some(({ state }) => state === 'invalid')

  const submit = useAct({
    run: () => {
      const content = new Blob([JSON.stringify(applyCorrections(submitted, failedIds, corrections))])
      return submitFeed({ feedType: feed.feedType, marketplaceIds: feed.marketplaceIds, contentType, content })
    },
    done: 'The new feed is submitted.',
    changes: [['feeds']],
    onDone: (feedId) => void navigate({ to: '/feeds/$feedId', params: { feedId } }),
  })
  if (rows.length === 0) return <Text>The submitted document does not have the messages that the result names.</Text>

  return (
    <Stack>
      <DataTable
        label="Messages that were not accepted"
        height={220}
        minWidth={560}
        columns={COLUMNS}
        rows={rows}
        keyOf={({ messageId }) => String(messageId)}
        openKey={openedId === undefined ? undefined : String(openedId)}
        onOpen={({ messageId }) => setOpenedId(messageId)}
      />
      {openedId !== undefined && (
        <MessageEditor
          key={openedId}
          messageId={openedId}
          issues={failed.get(openedId) ?? []}
          original={submitted.messages.find(({ messageId }) => messageId === openedId)}
          corrections={corrections}
          onChange={setCorrections}
        />
      )}
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          The new feed has these messages only, with the header and marketplaces of this one.
        </Text>
        <Button
          onClick={() => submit.mutate()}
          loading={submit.isPending}
          disabled={included.length === 0 || hasInvalid}
        >
          Submit {included.length.toLocaleString()} {included.length === 1 ? 'message' : 'messages'}
        </Button>
      </Group>
    </Stack>
  )
}

function stateOf(messageId: number, { texts, leftOut }: Corrections): Row['state'] {
  if (leftOut.has(messageId)) return 'left out'
  const text = texts.get(messageId)
  if (text === undefined) return 'unchanged'
  return problemOf(text) === undefined ? 'changed' : 'invalid'
}

const COLUMNS: readonly Column<Row>[] = [
  { header: 'Message', width: '90px', cell: ({ messageId }) => messageId },
  { header: 'SKU', width: '150px', cell: ({ sku }) => sku ?? '–' },
  { header: 'Error', cell: ({ error }) => error },
  { header: 'Correction', width: '110px', cell: ({ state }) => state },
]

interface MessageEditorProps {
  messageId: number
  issues: readonly FeedIssue[]
  original: object | undefined
  corrections: Corrections
  onChange(corrections: Corrections): void
}

function MessageEditor({ messageId, issues, original, corrections, onChange }: MessageEditorProps) {
  const text = corrections.texts.get(messageId) ?? JSON.stringify(original, null, 2)
  const isLeftOut = corrections.leftOut.has(messageId)
  const changeText = (value: string) =>
    onChange({ ...corrections, texts: new Map(corrections.texts).set(messageId, value) })
  const leaveOut = (isOut: boolean) => {
    const leftOut = new Set(corrections.leftOut)
    if (isOut) leftOut.add(messageId)
    else leftOut.delete(messageId)
    onChange({ ...corrections, leftOut })
  }
  return (
    <Stack gap="xs">
      <Alert color="red" title={`Errors of message ${messageId}`}>
        <ul style={{ margin: 0, paddingInlineStart: 20 }}>
          {issues.map(({ code, message, attributeName }) => (
            <li key={`${code} ${attributeName} ${message}`}>
              {attributeName && <b>{attributeName}: </b>}
              {message} ({code})
            </li>
          ))}
        </ul>
      </Alert>
      <Checkbox
        label="Leave this message out of the new feed"
        checked={isLeftOut}
        onChange={({ currentTarget }) => leaveOut(currentTarget.checked)}
      />
      <JsonInput
        label={`Message ${messageId}`}
        value={text}
        onChange={changeText}
        disabled={isLeftOut}
        error={problemOf(text)}
        autosize
        minRows={8}
        maxRows={20}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
    </Stack>
  )
}
