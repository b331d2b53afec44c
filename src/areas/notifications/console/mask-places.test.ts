import { expect, test } from 'vitest'
import { maskPlaces } from './mask-places.ts'

const target = { kind: 'sqs', arn: 'arn:aws:sqs:eu-west-1:210987654321:orders' } as const

test.each([
  [
    'AccessDenied: User: arn:aws:iam::123456789012:user/souk is not authorized to perform: sqs:sendmessage on resource: arn:aws:sqs:eu-west-1:210987654321:orders',
    'AccessDenied: User: [redacted] is not authorized to perform: sqs:sendmessage on resource: [redacted]',
  ],
  [
    'AWS.SimpleQueueService.NonExistentQueue: The queue orders (https://sqs.eu-west-1.amazonaws.com/210987654321/orders) does not exist.',
    'AWS.SimpleQueueService.NonExistentQueue: The queue [redacted] ([redacted]) does not exist.',
  ],
  [
    'SQS is not usable: Error: getaddrinfo ENOTFOUND sqs.eu-west-1.amazonaws.com',
    'SQS is not usable: Error: getaddrinfo ENOTFOUND [redacted]',
  ],
  ['Error: connect ECONNREFUSED 10.1.2.3:9324', 'Error: connect ECONNREFUSED [redacted]'],
  ['Error: getaddrinfo EAI_AGAIN elasticmq', 'Error: getaddrinfo EAI_AGAIN [redacted]'],
  ['Error: connect ECONNREFUSED queue:9324', 'Error: connect ECONNREFUSED [redacted]'],
  ['Error: connect ECONNREFUSED ::1:4566', 'Error: connect ECONNREFUSED [redacted]'],
  ['Error: connect ETIMEDOUT fd00:10::5:9324', 'Error: connect ETIMEDOUT [redacted]'],
  ['The host SQS.internal.Corp:1 is away', 'The host [redacted] is away'],
  ['InvalidAccountIdException: 210987654321', 'InvalidAccountIdException: [redacted]'],
  ["Error: EACCES: permission denied, open '/data/bus.jsonl'", "Error: EACCES: permission denied, open '[redacted]'"],
])('a seller does not see the queue of an application or the hosts of an operator: %s', (text, masked) => {
  expect(maskPlaces(text, target)).toBe(masked)
})

test.each([
  'InvalidMessageContents: Not today',
  'More than 10000 were waiting: InternalError: We could not complete your request.',
  'delayed by a fault rule, and reorders in 1.',
])('what names no place stays as it is: %s', (text) => {
  expect(maskPlaces(text, target)).toBe(text)
  expect(maskPlaces(text, undefined)).toBe(text)
})
