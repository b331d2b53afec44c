import { Badge, Button, Group, Text } from '@mantine/core'
import { IconArrowUp, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { controlPlane } from '../../api/client.ts'
import type { RequestFilter, RequestSummary } from '../../api/request-log.ts'
import { useAct } from '../../ui/act.ts'
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
        <Button
          variant="default"
          size="xs"
          leftSection={<IconTrash size={14} aria-hidden />}
          onClick={() => clear.mutate()}
          loading={clear.isPending}
        >
          Clear the log
        </Button>
        <StreamBadge stream={log.stream} isPaused={isPaused} />
        {log.waiting.length > 0 && (
          <Button size="xs" variant="light" leftSection={<IconArrowUp size={14} aria-hidden />} onClick={follow}>
            Show {log.waiting.length} new
          </Button>
        )}
        <Text size="sm" c="dimmed" ml="auto">
          {log.rows.length} shown{log.dropped > 0 && `, ${log.dropped} older ones are no longer in the log`}
        </Text>
      </Group>
      <Loaded query={log.first}>
        {() =>
          log.rows.length === 0 ? (
            <Empty>
              {isFiltered
                ? 'No request in the log matches these filters.'
                : 'No client has sent a request yet. They appear here as they arrive.'}
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
              loadMore={log.loadMore}
              isLoadingMore={log.isLoadingMore}
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

function StreamBadge({ stream, isPaused }: { stream: 'connecting' | 'open' | 'lost'; isPaused: boolean }) {
  if (isPaused) return <Badge color="gray">Paused</Badge>
  if (stream === 'open') return <Badge color="teal">Live</Badge>
  return <Badge color="orange">{stream === 'lost' ? 'Connecting again' : 'Connecting'}</Badge>
}
