import { Badge, Button, Group, Text } from '@mantine/core'
import { IconArrowUp, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { controlPlane } from '../../api/client.ts'
import type { StreamState } from '../../api/event-stream.ts'
import type { RequestFilter, RequestSummary } from '../../api/request-log.ts'
import { useAct } from '../../ui/act.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { useLiveRequests } from './live-requests.ts'
import { REQUEST_COLUMNS } from './request-columns.tsx'

interface RequestListProps {
  filter: RequestFilter
  openId: string | undefined
  onOpen(id: string): void
}

/** The live log. New requests wait while it is paused or scrolled, so that what one reads does not move. */
export function RequestList({ filter, openId, onOpen }: RequestListProps) {
  const [isPaused, setIsPaused] = useState(false)
  const [isAtTop, setIsAtTop] = useState(true)
  const [timesFollowed, setTimesFollowed] = useState(0)
  const log = useLiveRequests(filter, isPaused || !isAtTop)
  const clear = useAct({
    run: () => controlPlane.DELETE('/_souk/requests'),
    changes: [],
    onDone: log.empty,
  })
  const isFiltered = Object.keys(filter).length > 0
  const follow = () => {
    setIsPaused(false)
    setIsAtTop(true)
    setTimesFollowed(timesFollowed + 1)
  }

  return (
    <>
      <Group gap="xs">
        <Button
          variant="default"
          size="xs"
          leftSection={isPaused ? <IconPlayerPlay size={14} aria-hidden /> : <IconPlayerPause size={14} aria-hidden />}
          onClick={() => setIsPaused(!isPaused)}
        >
          {isPaused ? 'Continue' : 'Pause'}
        </Button>
        <ConfirmButton
          variant="default"
          leftSection={<IconTrash size={14} aria-hidden />}
          loading={clear.isPending}
          question="Remove all requests from the log, also those that the filters hide?"
          verb="Clear"
          onConfirm={() => clear.mutate()}
        >
          Clear the log
        </ConfirmButton>
        <StreamBadge stream={log.stream} isPaused={isPaused} />
        {log.stream === 'closed' && (
          <Button variant="default" size="xs" onClick={log.connect}>
            Connect
          </Button>
        )}
        {log.waiting.length > 0 && (
          <Button size="xs" variant="light" leftSection={<IconArrowUp size={14} aria-hidden />} onClick={follow}>
            Show {log.waiting.length} new
          </Button>
        )}
        <Text size="sm" c="dimmed" ml="auto">
          {log.rows.length} shown{log.skipped > 0 && `, ${log.skipped} more came too fast to show`}
          {log.dropped > 0 && `, ${log.dropped} older ones are no longer in the log`}
        </Text>
      </Group>
      <Loaded query={log.first}>
        {() =>
          log.rows.length === 0 ? (
            <Empty>
              {isFiltered
                ? 'No request in the log matches these filters.'
                : 'The log is empty. Requests of clients appear here as they arrive.'}
            </Empty>
          ) : (
            <DataTable
              // Following again begins at the first row.
              key={timesFollowed}
              label="Requests"
              columns={REQUEST_COLUMNS}
              rows={log.rows}
              keyOf={idOf}
              openKey={openId}
              onOpen={({ id }) => onOpen(id)}
              onTopChange={setIsAtTop}
              {...log.more}
              minWidth={900}
              height="calc(100dvh - 270px)"
            />
          )
        }
      </Loaded>
    </>
  )
}

const idOf = ({ id }: RequestSummary) => id

const STREAM_BADGES = {
  connecting: <Badge color="orange">Connecting</Badge>,
  open: <Badge color="teal">Live</Badge>,
  lost: <Badge color="orange">Connecting again</Badge>,
  closed: <Badge color="red">Disconnected</Badge>,
}

function StreamBadge({ stream, isPaused }: { stream: StreamState; isPaused: boolean }) {
  return isPaused && stream !== 'closed' ? <Badge color="gray">Paused</Badge> : STREAM_BADGES[stream]
}
