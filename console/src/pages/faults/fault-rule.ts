import type { paths } from '../../api/generated/control-plane.d.ts'
import { SUBJECTS } from '../../api/request-log.ts'

type FaultPath = paths['/_souk/faults']

export type FaultSettings = FaultPath['post']['requestBody']['content']['application/json']
export type FaultRule = FaultPath['get']['responses'][200]['content']['application/json']['faults'][number]
export type FaultKind = FaultSettings['action']['kind']
export type MatchField = Exclude<keyof NonNullable<FaultSettings['match']>, 'operations' | 'nextPage'>

/** What an operation of the background is called in rules. */
export const BACKGROUND_OPERATIONS = { job: ['processReport', 'processFeed'], message: ['sendNotification'] } as const

/** The fields of a request by which a rule can be narrowed. */
const REQUEST_FIELDS: readonly MatchField[] = ['sellerId', 'applicationId', 'clientId', ...SUBJECTS]

export const MATCH_FIELDS: Record<Layer, readonly MatchField[]> = {
  request: REQUEST_FIELDS,
  job: ['sellerId', 'reportId', 'reportType', 'feedId', 'feedType'],
  message: ['sellerId', 'applicationId', 'destinationId', 'notificationType', 'queueArn'],
}

export type Layer = 'request' | 'job' | 'message'

interface ActionField {
  name: keyof FaultSettings['action']
  label: string
  type: 'number' | 'text' | 'boolean' | readonly string[]
  initial?: number
}

interface ActionKind {
  layer: Layer
  label: string
  fields: readonly ActionField[]
}

const WHEN: ActionField = { name: 'when', label: 'Before or after the effect', type: ['before', 'after'] }

export const ACTION_KINDS: Record<FaultKind, ActionKind> = {
  status: {
    layer: 'request',
    label: 'Respond with an error',
    fields: [
      { name: 'status', label: 'Status', type: 'number', initial: 503 },
      WHEN,
      { name: 'code', label: 'Code', type: 'text' },
      { name: 'message', label: 'Message', type: 'text' },
      { name: 'details', label: 'Details', type: 'text' },
    ],
  },
  latency: {
    layer: 'request',
    label: 'Wait before responding',
    fields: [
      { name: 'milliseconds', label: 'Milliseconds', type: 'number', initial: 2_000 },
      { name: 'minMilliseconds', label: 'Or at least (ms)', type: 'number' },
      { name: 'maxMilliseconds', label: 'and at most (ms)', type: 'number' },
    ],
  },
  drop: { layer: 'request', label: 'Close the connection without a response', fields: [WHEN] },
  truncate: {
    layer: 'request',
    label: 'Close the connection within the body',
    fields: [{ name: 'bytes', label: 'After bytes (default: half)', type: 'number' }],
  },
  throttle: {
    layer: 'request',
    label: 'Respond with 429 below the quota',
    fields: [{ name: 'rateLimitHeader', label: 'With the header of the rate', type: 'boolean' }],
  },
  expireToken: { layer: 'request', label: 'Let the access token expire', fields: [] },
  ignore: { layer: 'request', label: 'Accept a listing and do nothing', fields: [] },
  expiredLink: { layer: 'request', label: 'Let the link of a document expire', fields: [] },
  slowDown: { layer: 'request', label: 'Respond with 503 SlowDown of the storage', fields: [] },
  notCompressed: { layer: 'request', label: 'Send a document uncompressed', fields: [] },
  stuck: {
    layer: 'job',
    label: 'Keep a report or feed in its state',
    fields: [{ name: 'state', label: 'State', type: ['IN_PROGRESS', 'IN_QUEUE'] }],
  },
  fatal: { layer: 'job', label: 'End a report or feed in FATAL', fields: [] },
  cancel: { layer: 'job', label: 'End a report or feed in CANCELLED', fields: [] },
  duplicate: {
    layer: 'message',
    label: 'Send a notification again',
    fields: [{ name: 'copies', label: 'Copies', type: 'number', initial: 1 }],
  },
  delay: {
    layer: 'message',
    label: 'Send a notification later',
    fields: [{ name: 'seconds', label: 'Seconds of the clock', type: 'number', initial: 60 }],
  },
  reorder: {
    layer: 'message',
    label: 'Send the first of two notifications later',
    fields: [{ name: 'seconds', label: 'Seconds of the clock', type: 'number', initial: 60 }],
  },
  lose: { layer: 'message', label: 'Never send a notification', fields: [] },
  refuse: {
    layer: 'message',
    label: 'Let the queue refuse a notification',
    fields: [{ name: 'reason', label: 'Reason', type: ['AccessDenied', 'NonExistentQueue'] }],
  },
}

export const isKind = (kind: unknown): kind is FaultKind =>
  typeof kind === 'string' && Object.hasOwn(ACTION_KINDS, kind)

/** `Respond with an error (status 503, when after)` */
export function describeAction({ kind, ...fields }: FaultSettings['action']): string {
  const values = Object.entries(fields).map(([name, value]) => `${name} ${value}`)
  return ACTION_KINDS[kind].label + (values.length > 0 ? ` (${values.join(', ')})` : '')
}

/** Which calls a rule is about, in short. */
export function describeMatch({ operations, ...fields }: NonNullable<FaultSettings['match']> = {}): string {
  const conditions = Object.entries(fields).map(([name, value]) => `${name} ${value}`)
  return [operations === undefined ? 'all that fit' : [operations].flat().join(', '), ...conditions].join('; ')
}

export function describeLimits({ percentage, nth, count, from, until }: FaultRule): string {
  return [
    percentage !== undefined && `${percentage} %`,
    nth !== undefined && `only call ${nth}`,
    count !== undefined && `at most ${count}`,
    from !== undefined && `from ${from}`,
    until !== undefined && `until ${until}`,
  ]
    .filter(Boolean)
    .join(', ')
}
