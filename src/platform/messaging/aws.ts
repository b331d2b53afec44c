export interface AwsSettings {
  /** Where the service is, if not where the region says. */
  endpoint?: string
  /** Instead of those that the surroundings provide: for what checks none. */
  credentials?: { accessKeyId: string; secretAccessKey: string }
}

const CONNECT_WITHIN_MILLISECONDS = 2_000
const ANSWER_WITHIN_MILLISECONDS = 5_000

/** What all clients of AWS are made with. Credentials come from the standard chain unless stated. */
export const clientSettings = ({ endpoint, credentials }: AwsSettings, region: string) => ({
  region,
  ...(endpoint !== undefined && { endpoint }),
  ...(credentials && { credentials }),
  requestHandler: { connectionTimeout: CONNECT_WITHIN_MILLISECONDS, requestTimeout: ANSWER_WITHIN_MILLISECONDS },
  // Whoever does not answer is tried again by us, after a pause that follows the clock.
  maxAttempts: 1,
})
