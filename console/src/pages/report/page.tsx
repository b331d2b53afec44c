import { Grid, Group, Paper, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { bodyOf, service } from '../../api/client.ts'
import { marketplaceLabel } from '../../api/marketplaces.ts'
import { pollUntilFinal } from '../../api/processing.ts'
import { findReportType, reportTypeLabel } from '../../api/report-types.ts'
import { useCancelReport } from '../../ui/cancel-report.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { AnchorLink } from '../../ui/links.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Page } from '../../ui/page.tsx'
import { ProcessingBadge } from '../../ui/processing-status.tsx'
import { ProcessingTimeline } from '../../ui/processing-timeline.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { ReportDocument } from './report-document.tsx'
import { reportRoute } from './route.ts'

const loadReport = (reportId: string) =>
  bodyOf(service.GET('/reports/2021-06-30/reports/{reportId}', { params: { path: { reportId } } }))

export function ReportPage() {
  const { reportId } = reportRoute.useParams()
  const query = useQuery({
    queryKey: ['reports', 'one', reportId],
    queryFn: () => loadReport(reportId),
    refetchInterval: pollUntilFinal,
  })
  const title = query.data ? reportTypeLabel(query.data.reportType) : 'Report'
  return (
    <Page
      title={title}
      about={
        <AnchorLink to="/reports" size="sm">
          All reports
        </AnchorLink>
      }
      actions={query.data?.processingStatus === 'IN_QUEUE' && <CancelReport reportId={reportId} />}
    >
      <Loaded query={query}>{(report) => <Report report={report} />}</Loaded>
    </Page>
  )
}

function CancelReport({ reportId }: { reportId: string }) {
  const cancel = useCancelReport()
  return (
    <ConfirmButton
      size="sm"
      color="red"
      question="Cancel this report? It will have no document."
      verb="Cancel the report"
      onConfirm={() => cancel.mutate(reportId)}
    >
      Cancel
    </ConfirmButton>
  )
}

type ReportData = Awaited<ReturnType<typeof loadReport>>

function Report({ report }: { report: ReportData }) {
  const type = findReportType(report.reportType)
  return (
    <Stack gap="lg">
      <Grid>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Paper withBorder p="md" h="100%">
            <DefinitionList
              entries={[
                ['State', <ProcessingBadge key="state" status={report.processingStatus} />],
                ['Type', report.reportType],
                ['Contains', type?.contains],
                [
                  'Period',
                  type?.defaultDays ? <Period key="period" report={report} /> : 'The moment of its generation',
                ],
                ['Marketplaces', report.marketplaceIds.map(marketplaceLabel).join(', ')],
                ['Id', report.reportId],
                ['Document', report.reportDocumentId],
                [
                  'Schedule',
                  report.reportScheduleId && (
                    <AnchorLink key="schedule" to="/reports" search={{ tab: 'schedules' }} size="sm">
                      {report.reportScheduleId}
                    </AnchorLink>
                  ),
                ],
              ]}
            />
          </Paper>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Paper withBorder p="md" h="100%">
            <ProcessingTimeline of={report} />
          </Paper>
        </Grid.Col>
      </Grid>
      {report.reportDocumentId === undefined ? (
        <NoDocument status={report.processingStatus} />
      ) : (
        <ReportDocument documentId={report.reportDocumentId} reportType={report.reportType} />
      )}
    </Stack>
  )
}

const Period = ({ report: { dataStartTime, dataEndTime } }: { report: ReportData }) => (
  <Group gap={6}>
    <Moment time={dataStartTime} />
    <span>to</span>
    <Moment time={dataEndTime} />
  </Group>
)

const REASONS = {
  IN_QUEUE: 'The document appears here as soon as a worker has written it.',
  IN_PROGRESS: 'The document is being written.',
  CANCELLED: 'There is no document: the report was cancelled, or there was no data in its period.',
  FATAL: 'There is no document: the report could not be generated.',
  DONE: 'The report has no document.',
} as const

const NoDocument = ({ status }: { status: ReportData['processingStatus'] }) => <Empty>{REASONS[status]}</Empty>
