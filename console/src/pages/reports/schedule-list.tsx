import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { bodyOf, service } from '../../api/client.ts'
import { marketplaceLabel } from '../../api/marketplaces.ts'
import { REPORT_TYPES, reportTypeLabel } from '../../api/report-types.ts'
import { useAct } from '../../ui/act.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { describePeriod } from './periods.ts'

const NAMES = REPORT_TYPES.map(({ name }) => name)
/** The service lists at most this many types per request. */
const MAX_TYPES = 10

async function loadSchedules() {
  const groups = [NAMES.slice(0, MAX_TYPES), NAMES.slice(MAX_TYPES)]
  const pages = await Promise.all(
    groups.map((reportTypes) =>
      bodyOf(service.GET('/reports/2021-06-30/schedules', { params: { query: { reportTypes } } })),
    ),
  )
  return pages
    .flatMap(({ reportSchedules }) => reportSchedules)
    .sort((a, b) => Date.parse(a.nextReportCreationTime) - Date.parse(b.nextReportCreationTime))
}

export function ScheduleList({ onCreate }: { onCreate(): void }) {
  const query = useQuery({ queryKey: ['reportSchedules'], queryFn: loadSchedules, refetchInterval: 15_000 })
  const cancel = useAct({
    run: (reportScheduleId: string) =>
      service.DELETE('/reports/2021-06-30/schedules/{reportScheduleId}', { params: { path: { reportScheduleId } } }),
    done: 'The schedule is cancelled. Reports that it created are kept.',
    changes: [['reportSchedules']],
  })
  const { mutate: cancelSchedule } = cancel
  const columns = useMemo(() => columnsOf(cancelSchedule), [cancelSchedule])
  return (
    <Loaded query={query}>
      {(schedules) =>
        schedules.length === 0 ? (
          <Empty action={<Button onClick={onCreate}>New schedule</Button>}>
            A schedule creates the same report again and again.
          </Empty>
        ) : (
          <DataTable
            label="Schedules"
            columns={columns}
            rows={schedules}
            keyOf={({ reportScheduleId }) => reportScheduleId}
          />
        )
      }
    </Loaded>
  )
}

type Schedule = Awaited<ReturnType<typeof loadSchedules>>[number]

const columnsOf = (cancel: (reportScheduleId: string) => void): Column<Schedule>[] => [
  {
    header: 'Report',
    width: '30%',
    cell: ({ reportType }) => <span title={reportType}>{reportTypeLabel(reportType)}</span>,
  },
  { header: 'Period', cell: ({ period }) => describePeriod(period) },
  { header: 'Next report', width: '220px', cell: ({ nextReportCreationTime: time }) => <Moment time={time} /> },
  { header: 'Marketplaces', cell: ({ marketplaceIds }) => marketplaceIds.map(marketplaceLabel).join(', ') },
  {
    header: 'Actions',
    width: '100px',
    align: 'end',
    cell: ({ reportScheduleId }) => (
      <ConfirmButton
        color="red"
        variant="subtle"
        question="Cancel this schedule? It will create no more reports."
        verb="Cancel the schedule"
        onConfirm={() => cancel(reportScheduleId)}
      >
        Cancel
      </ConfirmButton>
    ),
  },
]
