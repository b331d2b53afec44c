import { Text, Timeline } from '@mantine/core'
import { isFinal, type ProcessingStatus } from '../api/processing.ts'
import { Moment } from './moment.tsx'
import { processingLabel } from './processing-status.tsx'

interface Processed {
  processingStatus: ProcessingStatus
  createdTime: string
  processingStartTime?: string | undefined
  processingEndTime?: string | undefined
}

const FORMAT = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 })

/** The states of a report or feed over time. */
export function ProcessingTimeline({ of }: { of: Processed }) {
  const { processingStatus, createdTime, processingStartTime, processingEndTime } = of
  const isOver = isFinal(processingStatus)
  const reached = isOver ? 2 : processingStartTime ? 1 : 0
  return (
    <Timeline active={reached} bulletSize={18} lineWidth={2} color={processingStatus === 'FATAL' ? 'red' : 'teal'}>
      <Timeline.Item title="In queue">
        <Text size="sm" c="dimmed">
          <Moment time={createdTime} />
        </Text>
      </Timeline.Item>
      <Timeline.Item title="In progress">
        <Text size="sm" c="dimmed">
          {processingStartTime ? (
            <>
              <Moment time={processingStartTime} />
              {after(createdTime, processingStartTime, 'in the queue')}
            </>
          ) : isOver ? (
            'Never started'
          ) : (
            'Waiting for a worker'
          )}
        </Text>
      </Timeline.Item>
      <Timeline.Item title={isOver ? processingLabel(processingStatus) : 'Done'}>
        <Text size="sm" c="dimmed">
          {isOver ? (
            <>
              <Moment time={processingEndTime} />
              {after(processingStartTime, processingEndTime, 'of processing')}
            </>
          ) : (
            '–'
          )}
        </Text>
      </Timeline.Item>
    </Timeline>
  )
}

/** The service reports these times in seconds. */
function after(start: string | undefined, end: string | undefined, what: string): string {
  if (start === undefined || end === undefined) return ''
  const seconds = (Date.parse(end) - Date.parse(start)) / 1000
  if (seconds < 1) return ` · less than a second ${what}`
  if (seconds < 120) return ` · ${FORMAT.format(seconds)} s ${what}`
  if (seconds < 7200) return ` · ${FORMAT.format(seconds / 60)} min ${what}`
  return ` · ${FORMAT.format(seconds / 3600)} h ${what}`
}
