import type { Input } from './input.ts'
import { QueueError, unknownAttribute } from './queue-error.ts'

export const MAX_MESSAGE_BYTES = 1_048_576
export const MAX_VISIBILITY_SECONDS = 43_200
export const MAX_WAIT_SECONDS = 20
export const MAX_DELAY_SECONDS = 900

export interface Queue {
  name: string
  /** Those of the request or ARN that created the queue. The name alone identifies it. */
  region: string
  account: string
  createdAt: number
  modifiedAt: number
  /** The attributes that were set. */
  attributes: Readonly<Record<string, string>>
  tags: Readonly<Record<string, string>>
}

export interface RedrivePolicy {
  deadLetterTargetArn: string
  maxReceiveCount: number
}

/** 14 days. */
const MAX_RETENTION_SECONDS = 1_209_600

const NAME = /^[A-Za-z0-9_-]{1,80}$/

const numbers = {
  VisibilityTimeout: { min: 0, max: MAX_VISIBILITY_SECONDS, default: 30 },
  DelaySeconds: { min: 0, max: MAX_DELAY_SECONDS, default: 0 },
  MaximumMessageSize: { min: 1024, max: MAX_MESSAGE_BYTES, default: MAX_MESSAGE_BYTES },
  MessageRetentionPeriod: { min: 60, max: MAX_RETENTION_SECONDS, default: 345_600 },
  ReceiveMessageWaitTimeSeconds: { min: 0, max: MAX_WAIT_SECONDS, default: 0 },
} as const

/** Stored and returned without any effect, because the local queue neither checks credentials nor encrypts. */
const WITHOUT_EFFECT = [
  'Policy',
  'RedriveAllowPolicy',
  'KmsMasterKeyId',
  'KmsDataKeyReusePeriodSeconds',
  'SqsManagedSseEnabled',
]
const MAX_ATTRIBUTE_LENGTH = 30_000

const COUNTS = [
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesNotVisible',
  'ApproximateNumberOfMessagesDelayed',
]

const defaults: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(numbers).map(([name, number]) => [name, String(number.default)])),
  SqsManagedSseEnabled: 'true',
}

export type NumberAttribute = keyof typeof numbers

export function numberOf(queue: Pick<Queue, 'attributes'>, name: NumberAttribute): number {
  return Number(queue.attributes[name] ?? numbers[name].default)
}

export const arnOf = ({ region, account, name }: Pick<Queue, 'region' | 'account' | 'name'>) =>
  `arn:aws:sqs:${region}:${account}:${name}`

export function parseArn(arn: string): { region: string; account: string; name: string } {
  const [, , , region = '', account = '', name = ''] = arn.split(':')
  return { region, account, name }
}

export const newQueue = (fields: Pick<Queue, 'name' | 'region' | 'account'>, now: number): Queue => ({
  ...fields,
  createdAt: now,
  modifiedAt: now,
  attributes: {},
  tags: {},
})

/**
 * A new queue for a destination. It keeps messages for as long as possible, because tests move the clock by days before
 * they read.
 */
export const queueOfArn = (arn: string, now: number): Queue => ({
  ...newQueue(parseArn(arn), now),
  attributes: { MessageRetentionPeriod: String(MAX_RETENTION_SECONDS) },
})

/** The name in the URL of a queue. Account, host and scheme are ignored: any of them may have led here. */
export function parseQueueUrl(url: string): string {
  const name = url.slice(url.lastIndexOf('/') + 1)
  if (!NAME.test(name)) throw queueDoesNotExist()
  return name
}

export const queueDoesNotExist = () => new QueueError('QueueDoesNotExist', 'The specified queue does not exist.')

export function parseQueueName(input: Input): string {
  const name = input.requireText('QueueName')
  if (name.endsWith('.fifo')) throw fifoUnsupported()
  if (NAME.test(name)) return name
  throw new QueueError(
    'InvalidParameterValue',
    'Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length',
  )
}

/** Returns the attributes to set. An empty text removes an attribute. */
export function parseQueueAttributes(input: Input): Record<string, string> {
  const entries = input.textMap('Attributes')
  for (const [name, value] of entries) checkAttribute(name, value)
  return Object.fromEntries(entries)
}

function checkAttribute(name: string, value: string): void {
  if (name === 'FifoQueue' && value === 'true') throw fifoUnsupported()
  const isValid = name === 'RedrivePolicy' ? isRedrivePolicy : isNumberAttribute(name) ? inRange(name) : isShort
  if (!isSettable(name)) throw unknownAttribute(name)
  if (!isValid(value)) throw new QueueError('InvalidAttributeValue', `Invalid value for the parameter ${name}.`)
}

const isNumberAttribute = (name: string): name is NumberAttribute => Object.hasOwn(numbers, name)

const isSettable = (name: string) =>
  isNumberAttribute(name) || name === 'RedrivePolicy' || WITHOUT_EFFECT.includes(name)

const inRange = (name: NumberAttribute) => (value: string) =>
  /^\d{1,8}$/.test(value) && Number(value) >= numbers[name].min && Number(value) <= numbers[name].max

const isShort = (value: string) => value.length <= MAX_ATTRIBUTE_LENGTH

const isRedrivePolicy = (value: string) => value === '' || parseRedrivePolicy(value) !== undefined

function parseRedrivePolicy(text: string): RedrivePolicy | undefined {
  if (!isShort(text)) return undefined
  let policy: Partial<Record<keyof RedrivePolicy, unknown>> | null
  try {
    policy = JSON.parse(text)
  } catch {
    return undefined
  }
  const { deadLetterTargetArn, maxReceiveCount } = policy ?? {}
  // Some tools write the number as text.
  const count = typeof maxReceiveCount === 'string' ? Number(maxReceiveCount) : maxReceiveCount
  if (typeof deadLetterTargetArn !== 'string' || typeof count !== 'number') return undefined
  if (!Number.isInteger(count) || count < 1 || count > 1000) return undefined
  return { deadLetterTargetArn, maxReceiveCount: count }
}

export const redrivePolicyOf = ({ attributes }: Pick<Queue, 'attributes'>): RedrivePolicy | undefined =>
  attributes.RedrivePolicy ? parseRedrivePolicy(attributes.RedrivePolicy) : undefined

/** Sets attributes; an empty text removes one. */
export function withAttributes(queue: Queue, attributes: Readonly<Record<string, string>>, now: number): Queue {
  const entries = Object.entries({ ...queue.attributes, ...attributes }).filter(([, value]) => value !== '')
  return { ...queue, attributes: Object.fromEntries(entries), modifiedAt: now }
}

/** Returns the first of these attributes that the queue has with another value. */
export function findDifference(queue: Queue, attributes: Readonly<Record<string, string>>): string | undefined {
  const present = { ...defaults, ...queue.attributes }
  return Object.keys(attributes).find((name) => attributes[name] !== (present[name] ?? ''))
}

export type Counts = { visible: number; inFlight: number; delayed: number }

/** Which attributes a client wants. */
export function parseAttributeNames(input: Input): { names: string[]; needsCounts: boolean } {
  const requested = input.texts('AttributeNames')
  const all = ['QueueArn', 'CreatedTimestamp', 'LastModifiedTimestamp', ...COUNTS]
  const unknown = requested.find((name) => name !== 'All' && !all.includes(name) && !isSettable(name))
  if (unknown !== undefined && !FIFO_ATTRIBUTES.includes(unknown)) throw unknownAttribute(unknown)
  const names = requested.includes('All')
    ? [...all, ...Object.keys(numbers), ...WITHOUT_EFFECT, 'RedrivePolicy']
    : requested
  return { names, needsCounts: names.some((name) => COUNTS.includes(name)) }
}

const FIFO_ATTRIBUTES = ['FifoQueue', 'ContentBasedDeduplication', 'DeduplicationScope', 'FifoThroughputLimit']

const toSeconds = (milliseconds: number) => String(Math.floor(milliseconds / 1000))

export function renderAttributes(queue: Queue, names: readonly string[], counts: Counts): Record<string, string> {
  const values: Record<string, string> = {
    ...defaults,
    ...queue.attributes,
    QueueArn: arnOf(queue),
    CreatedTimestamp: toSeconds(queue.createdAt),
    LastModifiedTimestamp: toSeconds(queue.modifiedAt),
    ApproximateNumberOfMessages: String(counts.visible),
    ApproximateNumberOfMessagesNotVisible: String(counts.inFlight),
    ApproximateNumberOfMessagesDelayed: String(counts.delayed),
  }
  const present = names.filter((name) => Object.hasOwn(values, name))
  return Object.fromEntries(present.map((name) => [name, values[name] as string]))
}

const fifoUnsupported = () => new QueueError('UnsupportedOperation', 'The local queue has no FIFO queues.')
