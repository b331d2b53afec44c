import { Alert, Button, Group, SegmentedControl, Select, Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { bodyOf, service } from '../../api/client.ts'
import type { paths } from '../../api/generated/service.d.ts'
import { useList } from '../../api/pages.ts'
import { useAct } from '../../ui/act.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { jobsRoute } from './route.ts'

type JobsBody = paths['/operator/v1/jobs']['get']['responses']['200']['content']['application/json']
type Job = JobsBody['jobs'][number]

const STATES = [
  { value: 'WAITING', label: 'Waiting' },
  { value: 'RUNNING', label: 'Running' },
  { value: 'GIVEN_UP', label: 'Given up' },
]

const KINDS = ['processReport', 'processFeed', 'processListing', 'fireReportSchedule']
/** The others belong to a listing or a schedule, which would never be processed again. */
const CANCELLABLE = new Set(['processReport', 'processFeed'])

const NOTHING: Record<Job['state'], string> = {
  WAITING: 'No job waits.',
  RUNNING: 'No job runs at this moment.',
  GIVEN_UP: 'No job was given up.',
}

export function JobsPage() {
  const { state, kind } = jobsRoute.useSearch()
  const navigate = useNavigate()
  const show = (changed: { state?: Job['state']; kind?: string | undefined }) =>
    void navigate({ to: '/operator/jobs', search: { state, kind, ...changed } })
  const jobs = useList(
    ['operator', 'jobs', state, kind],
    async (pageToken) => {
      const page = await bodyOf(service.GET('/operator/v1/jobs', { params: { query: { state, kind, pageToken } } }))
      return { items: page.jobs, nextToken: page.nextToken }
    },
    { refetchInterval: 5_000 },
  )
  const changes = [['operator', 'jobs']]
  const retry = useAct({
    run: (jobId: string) => service.POST('/operator/v1/jobs/{jobId}/retry', { params: { path: { jobId } } }),
    done: 'The job runs again.',
    changes,
  })
  const discard = useAct({
    run: (jobId: string) => service.DELETE('/operator/v1/jobs/{jobId}', { params: { path: { jobId } } }),
    done: state === 'WAITING' ? 'The job is cancelled.' : 'The job is discarded.',
    changes,
  })
  const columns: Column<Job>[] = [
    { header: 'Kind', cell: (job) => job.kind, width: '18%' },
    { header: 'When', cell: (job) => <Moment time={job.givenUpAt ?? job.runAt} />, width: '18%' },
    { header: 'Attempts', cell: (job) => <Attempts job={job} />, width: '14%' },
    { header: 'Last error', cell: (job) => <LastError job={job} /> },
    ...(state === 'RUNNING'
      ? []
      : [
          {
            header: 'Actions',
            width: '200px',
            cell: ({ jobId, kind }: Job) => (
              <Group gap="xs" wrap="nowrap">
                <Button size="xs" variant="light" onClick={() => retry.mutate(jobId)}>
                  {state === 'WAITING' ? 'Run now' : 'Retry'}
                </Button>
                {state === 'GIVEN_UP' && (
                  <ConfirmButton
                    color="red"
                    verb="Discard"
                    question={`Discard this job of the kind ${kind} for good?`}
                    onConfirm={() => discard.mutate(jobId)}
                  >
                    Discard
                  </ConfirmButton>
                )}
                {state === 'WAITING' && CANCELLABLE.has(kind) && (
                  <ConfirmButton
                    color="red"
                    verb="Cancel the job"
                    question="Cancel this job, and the report or feed that it is for?"
                    onConfirm={() => discard.mutate(jobId)}
                  >
                    Cancel
                  </ConfirmButton>
                )}
              </Group>
            ),
          },
        ]),
  ]
  return (
    <Page title="Jobs" about="Reports, feeds and other work that runs in the background.">
      <Group>
        <SegmentedControl
          aria-label="State"
          data={STATES}
          value={state}
          onChange={(value) => show({ state: value as Job['state'] })}
        />
        <Select
          aria-label="Kind"
          placeholder="All kinds"
          clearable
          data={kind === undefined || KINDS.includes(kind) ? KINDS : [...KINDS, kind]}
          value={kind ?? null}
          onChange={(chosen) => show({ kind: chosen ?? undefined })}
          w={220}
        />
      </Group>
      <Loaded query={jobs}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty>{kind === undefined ? NOTHING[state] : 'No job of this kind is in this state.'}</Empty>
          ) : (
            <DataTable label="Jobs" columns={columns} rows={rows} keyOf={(job) => job.jobId} {...jobs.more} />
          )
        }
      </Loaded>
      {state === 'GIVEN_UP' && (
        <Alert color="gray" variant="light">
          A job is given up after repeated failures or crashes, or when an outage lasted too long. Retry runs it again
          from the start; its work has no effect twice.
        </Alert>
      )}
    </Page>
  )
}

const Attempts = ({ job }: { job: Job }) => <Text size="sm">{`${job.failures} failures, ${job.crashes} crashes`}</Text>

const LastError = ({ job }: { job: Job }) => (
  <Stack gap={0}>
    <Text size="sm" lineClamp={2} title={job.lastError}>
      {job.lastError ?? '–'}
    </Text>
  </Stack>
)
