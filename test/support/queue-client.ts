import { SQSClient } from '@aws-sdk/client-sqs'
import { afterAll } from 'vitest'

/** A client as a consumer has it, without retries. */
export function sqsClient(endpoint: string): SQSClient {
  const client = new SQSClient({
    endpoint,
    region: 'eu-west-1',
    credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
    maxAttempts: 1,
  })
  afterAll(() => client.destroy())
  return client
}
