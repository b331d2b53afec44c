import { beforeAll, expect, test } from 'vitest'
import { startTestSouk, type TestSouk } from '../../support/souk.ts'

const PREFIX = '/notifications/v1'
let souk: TestSouk
let headers: Record<string, string>
beforeAll(async () => {
  souk = await startTestSouk()
  headers = { 'x-souk-console': '1', 'x-souk-seller': souk.demo.sellerId }
})

test('the console subscribes the seller with a destination that it created', async () => {
  const created = await souk.post(`${PREFIX}/destinations`, {
    headers,
    payload: { name: 'console', resourceSpecification: { sqs: { arn: 'arn:aws:sqs:us-east-1:123456789012:console' } } },
  })
  const { destinationId } = created.json().payload
  const subscribed = await souk.post(`${PREFIX}/subscriptions/ORDER_CHANGE`, {
    headers,
    payload: { payloadVersion: '1.0', destinationId },
  })
  expect(subscribed.statusCode).toBe(200)
  const token = await souk.tokenFor(souk.demo.refreshToken)
  const seen = await souk.get(`${PREFIX}/subscriptions/ORDER_CHANGE`, { token })
  // It belongs to the application of the destination, which can use it like its own.
  expect(seen.json().payload).toMatchObject({ destinationId })
})
