import { Tooltip } from '@mantine/core'
import { IconAlertOctagon } from '@tabler/icons-react'
import { type RequestSummary, urlOf } from '../../api/request-log.ts'
import type { Column } from '../../ui/data-table.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'

const TIME = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hourCycle: 'h23',
})

export const REQUEST_COLUMNS: readonly Column<RequestSummary>[] = [
  {
    header: 'Time',
    width: '110px',
    // No Moment: hundreds of rows arrive in a second, and the panel has all times.
    cell: ({ startedAt }) => <time dateTime={startedAt}>{TIME.format(new Date(startedAt))}</time>,
  },
  {
    header: 'Status',
    width: '95px',
    cell: ({ status, outcome, faultId }) => (
      <>
        <StatusBadge status={status} outcome={outcome} />{' '}
        {faultId !== undefined && (
          <Tooltip label="Changed by a fault rule">
            <IconAlertOctagon size={16} role="img" aria-label="Changed by a fault rule" />
          </Tooltip>
        )}
      </>
    ),
  },
  { header: 'Operation', width: '210px', cell: ({ operation }) => operation },
  {
    header: 'Request',
    cell: (request) => (
      <span title={urlOf(request)}>
        <strong>{request.method}</strong> <span style={{ fontFamily: 'monospace' }}>{urlOf(request)}</span>
      </span>
    ),
  },
  { header: 'Seller', width: '155px', cell: ({ seller }) => seller ?? '–' },
  { header: 'Quota left', width: '90px', align: 'end', cell: ({ quota }) => quotaLeft(quota) },
  { header: 'Took', width: '85px', align: 'end', cell: ({ milliseconds }) => formatMilliseconds(milliseconds) },
]

const quotaLeft = (quota: RequestSummary['quota']) => (quota ? Math.floor(quota.left) : '–')

function formatMilliseconds(milliseconds: number | undefined): string {
  if (milliseconds === undefined) return '–'
  return milliseconds < 10 ? `${milliseconds.toFixed(1)} ms` : `${Math.round(milliseconds)} ms`
}
