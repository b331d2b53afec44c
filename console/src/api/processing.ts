/** The states of reports and feeds, in the order in which they happen. */
export const PROCESSING_STATUSES = ['IN_QUEUE', 'IN_PROGRESS', 'DONE', 'CANCELLED', 'FATAL'] as const
export type ProcessingStatus = (typeof PROCESSING_STATUSES)[number]

export const isFinal = (status: string): boolean => status !== 'IN_QUEUE' && status !== 'IN_PROGRESS'

/** How often something that is being processed is loaded again. */
export const PROCESSING_POLL_MILLISECONDS = 1_500

interface ProcessingQuery {
  state: { data?: { processingStatus: string } | undefined; error: Error | null }
}

/** The `refetchInterval` of one report or feed: until it is final, or cannot be loaded. */
export const pollUntilFinal = ({ state: { data, error } }: ProcessingQuery): number | false =>
  data && !error && !isFinal(data.processingStatus) ? PROCESSING_POLL_MILLISECONDS : false
