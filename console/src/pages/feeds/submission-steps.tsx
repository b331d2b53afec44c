import { Group, Progress, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { bodyOf, service } from '../../api/client.ts'
import { isFinal, PROCESSING_POLL_MILLISECONDS } from '../../api/processing.ts'
import type { SubmissionProgress } from '../../api/submit-feed.ts'
import { AnchorLink } from '../../ui/links.tsx'
import { ProcessingBadge } from '../../ui/processing-status.tsx'
import { formatBytes } from '../../ui/save-text.ts'

interface SubmissionStepsProps {
  progress: SubmissionProgress
  totalBytes: number
  /** Absent until the feed is created. */
  feedId: string | undefined
}

/** How far a submission is, from the upload to the end of the processing. */
export function SubmissionSteps({ progress: { step, sentBytes }, totalBytes, feedId }: SubmissionStepsProps) {
  const sent = totalBytes === 0 ? 100 : (sentBytes / totalBytes) * 100
  return (
    <Stack gap="sm">
      <div>
        <Text size="sm" mb={4}>
          {step === 'document'
            ? 'Creating the document'
            : `Uploaded ${formatBytes(sentBytes)} of ${formatBytes(totalBytes)}`}
        </Text>
        <Progress value={sent} aria-label="Upload" color={step === 'feed' ? 'teal' : undefined} />
      </div>
      {feedId === undefined ? (
        <Text size="sm" c="dimmed">
          {step === 'feed' ? 'Creating the feed' : 'Processing starts after the upload'}
        </Text>
      ) : (
        <Processing feedId={feedId} />
      )}
    </Stack>
  )
}

const SHARES = { IN_QUEUE: 10, IN_PROGRESS: 55, DONE: 100, CANCELLED: 100, FATAL: 100 } as const
const COLORS = { IN_QUEUE: undefined, IN_PROGRESS: undefined, DONE: 'teal', CANCELLED: 'gray', FATAL: 'red' } as const

function Processing({ feedId }: { feedId: string }) {
  const { data } = useQuery({
    queryKey: ['feeds', 'one', feedId],
    queryFn: () => bodyOf(service.GET('/feeds/2021-06-30/feeds/{feedId}', { params: { path: { feedId } } })),
    refetchInterval: ({ state }) =>
      state.data && isFinal(state.data.processingStatus) ? false : PROCESSING_POLL_MILLISECONDS,
  })
  const status = data?.processingStatus ?? 'IN_QUEUE'
  const isRunning = !isFinal(status)
  return (
    <div role="status">
      <Group gap="xs" mb={4}>
        <ProcessingBadge status={status} />
        <AnchorLink to="/feeds/$feedId" params={{ feedId }} size="sm">
          {isRunning ? `Feed ${feedId}` : `Result of feed ${feedId}`}
        </AnchorLink>
      </Group>
      <Progress value={SHARES[status]} animated={isRunning} color={COLORS[status]} aria-label="Processing" />
    </div>
  )
}
