import { Button, Group, MultiSelect, Stack } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { bodyOf, service } from '../../api/client.ts'
import type { paths } from '../../api/generated/service.d.ts'
import { useNewestFirst } from '../../api/newest-first.ts'
import { PROCESSING_STATUSES, type ProcessingStatus } from '../../api/processing.ts'
import { REPORT_TYPES, reportTypeLabel } from '../../api/report-types.ts'
import { useCancelReport } from '../../ui/cancel-report.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { ProcessingBadge, processingLabel } from '../../ui/processing-status.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import type { ReportsSearch } from './route.ts'

const ALL_TYPES = REPORT_TYPES.map(({ name }) => name)
const PAGE_SIZE = 50

type Query = NonNullable<paths['/reports/2021-06-30/reports']['get']['parameters']['query']>

const loadReports = (query: Query) => bodyOf(service.GET('/reports/2021-06-30/reports', { params: { query } }))

interface ReportListProps {
  search: ReportsSearch
  onChange(search: ReportsSearch): void
}

export function ReportList({ search: { types, states }, onChange }: ReportListProps) {
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
      <Group align="flex-end">
        <MultiSelect
          label="Type"
          placeholder={types ? undefined : 'All types'}
          data={REPORT_TYPES.map(({ name, label }) => ({ value: name, label }))}
          value={types ?? []}
          onChange={(names) => onChange({ types: names.length > 0 ? names : undefined })}
          clearable
          searchable
          w={{ base: '100%', sm: 320 }}
        />
        <MultiSelect
          label="State"
          placeholder={states ? undefined : 'All states'}
          data={PROCESSING_STATUSES.map((status) => ({ value: status, label: processingLabel(status) }))}
          value={states ?? []}
          onChange={(chosen) => onChange({ states: chosen.length > 0 ? (chosen as ProcessingStatus[]) : undefined })}
          clearable
          w={{ base: '100%', sm: 260 }}
        />
      </Group>
      <Loaded query={query}>
        {(reports) =>
          reports.length === 0 ? (
            isFiltered ? (
              <Empty
                action={
                  <Button variant="default" onClick={() => onChange({ types: undefined, states: undefined })}>
                    Show all reports
                  </Button>
                }
              >
                No report of the last 90 days matches these filters.
              </Empty>
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
