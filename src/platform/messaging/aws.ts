import { type AwsDeadlines, defaultDeadlines } from '../aws/deadlines.ts'

export interface AwsSettings {
  /** Where the service is, if not where the region says. */
  endpoint?: string
  /** Instead of those that the surroundings provide: for what checks none. */
  credentials?: { accessKeyId: string; secretAccessKey: string }
  deadlines?: AwsDeadlines
}

// More than a relay has requests under way: one must not wait for a connection that a silent receiver holds.
const MAX_CONNECTIONS = 256

/** What all clients of AWS are made with. Credentials come from the standard chain unless stated. */
export const clientSettings = ({ endpoint, credentials, deadlines }: AwsSettings, region: string) => ({
  region,
  ...(endpoint !== undefined && { endpoint }),
  ...(credentials && { credentials }),
  requestHandler: handlerSettings(deadlines),
  // Whoever does not answer is tried again by us, after a pause that follows the clock.
  maxAttempts: 1,
})

/**
 * `requestTimeout` alone only logs a warning, and covers neither the body of an answer nor the credentials. So every call
 * also has a deadline of its own, by `within`.
 */
export const handlerSettings = ({ connectMilliseconds, transferMilliseconds } = defaultDeadlines) => ({
  connectionTimeout: connectMilliseconds,
  requestTimeout: transferMilliseconds,
  throwOnRequestTimeout: true,
  httpAgent: { maxSockets: MAX_CONNECTIONS },
  httpsAgent: { maxSockets: MAX_CONNECTIONS },
})
