import { SQSClient } from '@aws-sdk/client-sqs'
import { afterFile } from './after-file.ts'

/** A client as a consumer has it, without retries. */
export function sqsClient(endpoint: string): SQSClient {
  const client = new SQSClient({
    endpoint,
    region: 'eu-west-1',
    credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
    maxAttempts: 1,
  })
  afterFile(() => client.destroy())
  return client
}
