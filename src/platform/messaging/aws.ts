import type { SQSClientConfig } from '@aws-sdk/client-sqs'
import { type AwsDeadlines, defaultDeadlines } from '../aws/deadlines.ts'

/** Fixed ones, or a provider. */
export type Credentials = NonNullable<SQSClientConfig['credentials']>

export interface AwsSettings {
  /** Default: the endpoint of the region. */
  endpoint?: string
  /** Default: the standard chain. For local services that check no credentials. */
  credentials?: Credentials
  deadlines?: AwsDeadlines
}

// More than the concurrent requests of a relay, so that none waits for a connection that a silent receiver holds.
export const MAX_CONNECTIONS = 256

/** Options of all AWS clients. */
export const clientSettings = ({ endpoint, credentials, deadlines }: AwsSettings, region: string) => ({
  region,
  ...(endpoint !== undefined && { endpoint }),
  ...(credentials && { credentials }),
  requestHandler: handlerSettings(deadlines),
  // Souk retries itself, with a backoff that follows the clock.
  maxAttempts: 1,
})

/**
 * `requestTimeout` alone only logs a warning, and covers neither the body of a response nor the credentials. So every
 * call also uses `withDeadline`.
 */
export const handlerSettings = ({ connectMilliseconds, transferMilliseconds } = defaultDeadlines) => ({
  connectionTimeout: connectMilliseconds,
  requestTimeout: transferMilliseconds,
  throwOnRequestTimeout: true,
  httpAgent: { maxSockets: MAX_CONNECTIONS },
  httpsAgent: { maxSockets: MAX_CONNECTIONS },
})
