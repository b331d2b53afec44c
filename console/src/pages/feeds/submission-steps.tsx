import { Group, Progress, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { describe } from '../../api/failure.ts'
import { feedQuery } from '../../api/feed.ts'
import { isFinal } from '../../api/processing.ts'
import type { SubmissionProgress } from '../../api/submit-feed.ts'
import { AnchorLink } from '../../ui/links.tsx'
import { ProcessingBadge } from '../../ui/processing-status.tsx'
import { formatBytes } from '../../ui/save-file.ts'
import { FailedNote } from '../../ui/states.tsx'

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
  const { data, error, refetch } = useQuery(feedQuery(feedId))
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
      <Progress value={SHARES[status]} animated={isRunning && !error} color={COLORS[status]} aria-label="Processing" />
      {error && <FailedNote retry={() => void refetch()}>This could not be refreshed. {describe(error)}</FailedNote>}
    </div>
  )
}
