import { Button, Stack } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { bodyOf, service } from '../../api/client.ts'
import type { paths } from '../../api/generated/service.d.ts'
import { useNewestFirst } from '../../api/newest-first.ts'
import { REPORT_TYPES, reportTypeLabel } from '../../api/report-types.ts'
import { useCancelReport } from '../../ui/cancel-report.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { NoMatch, ProcessingFilters } from '../../ui/processing-filters.tsx'
import { ProcessingBadge } from '../../ui/processing-status.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import type { ReportsSearch } from './route.ts'

const ALL_TYPES = REPORT_TYPES.map(({ name }) => name)
const PAGE_SIZE = 50
const TYPE_OPTIONS = REPORT_TYPES.map(({ name, label }) => ({ value: name, label }))

type Query = NonNullable<paths['/reports/2021-06-30/reports']['get']['parameters']['query']>

const loadReports = (query: Query) => bodyOf(service.GET('/reports/2021-06-30/reports', { params: { query } }))

interface ReportListProps {
  search: ReportsSearch
  onChange(search: ReportsSearch): void
}

export function ReportList({ search, onChange }: ReportListProps) {
  const { types, states } = search
  const navigate = useNavigate()
  const query = useNewestFirst({
    queryKey: ['reports', { states }],
    types: types ?? ALL_TYPES,
    load: async (reportTypes, nextToken) => {
      const filter = { reportTypes, pageSize: PAGE_SIZE, ...(states && { processingStatuses: states }) }
      const { reports, nextToken: next } = await loadReports(nextToken ? { nextToken } : filter)
      return { items: reports, nextToken: next }
    },
  })
  const { mutate: cancel } = useCancelReport()
  const isFiltered = types !== undefined || states !== undefined

  const columns = useMemo(() => columnsOf(cancel), [cancel])

  return (
    <Stack gap="sm">
      <ProcessingFilters typeOptions={TYPE_OPTIONS} search={search} onChange={onChange} />
      <Loaded query={query}>
        {(reports) =>
          reports.length === 0 ? (
            isFiltered ? (
              <NoMatch what="report" onChange={onChange} />
            ) : (
              <Empty action={<Button onClick={() => onChange({ form: 'open' })}>Request a report</Button>}>
                Reports of the last 90 days appear here, also those that your software requests.
              </Empty>
            )
          ) : (
            <DataTable
              label="Reports"
              minWidth={820}
              columns={columns}
              rows={reports}
              keyOf={({ reportId }) => reportId}
              onOpen={({ reportId }) => void navigate({ to: '/reports/$reportId', params: { reportId } })}
              {...query.more}
            />
          )
        }
      </Loaded>
    </Stack>
  )
}

type Report = Awaited<ReturnType<typeof loadReports>>['reports'][number]

const columnsOf = (cancel: (reportId: string) => void): Column<Report>[] => [
  {
    header: 'Report',
    cell: ({ reportType }) => <span title={reportType}>{reportTypeLabel(reportType)}</span>,
  },
  { header: 'State', width: '150px', cell: ({ processingStatus }) => <ProcessingBadge status={processingStatus} /> },
  { header: 'Requested', width: '220px', cell: ({ createdTime }) => <Moment time={createdTime} /> },
  {
    header: 'By',
    width: '100px',
    cell: ({ reportScheduleId }) => (reportScheduleId === undefined ? 'Request' : 'Schedule'),
  },
  { header: 'Id', width: '150px', cell: ({ reportId }) => reportId },
  {
    header: 'Actions',
    width: '100px',
    align: 'end',
    cell: ({ reportId, processingStatus }) =>
      processingStatus === 'IN_QUEUE' && (
        <ConfirmButton
          color="red"
          variant="subtle"
          question="Cancel this report? It will have no document."
          verb="Cancel the report"
          onConfirm={() => cancel(reportId)}
        >
          Cancel
        </ConfirmButton>
      ),
  },
]
