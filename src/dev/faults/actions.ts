import { type Envelope, isPossibleStatus, possibleCodes } from './error-responses.ts'
import type { FaultAction } from './public.ts'

export type FaultKind = FaultAction['kind']
export type FaultLayer = 'request' | 'job' | 'message'

/** What the calls of background work are called in rules. */
export const JOB_OPERATIONS = ['processReport', 'processFeed'] as const
export const MESSAGE_OPERATION = 'sendNotification'

/** What a rule must know of an operation. */
export interface FaultableOperation {
  name: string
  layer: FaultLayer
  envelope: Envelope
  /** Whether it takes an access token. */
  takesToken: boolean
  hasQuota: boolean
  /** What a rule can match of its calls. */
  fields(): readonly string[]
}

interface ActionSpecification {
  layer: FaultLayer
  required?: readonly string[]
  optional?: readonly string[]
  fits(operation: FaultableOperation): boolean
}

/** Whether an action is possible for an operation of its layer. */
export function fitsAction(action: FaultAction, operation: FaultableOperation): boolean {
  if (!actions[action.kind].fits(operation)) return false
  if (action.kind !== 'status') return true
  const { status, code } = action
  if (!isPossibleStatus(operation.envelope, status)) return false
  return code === undefined || possibleCodes(operation.envelope, status).includes(code)
}

const all = () => true
const listingWrites = new Set(['putListingsItem', 'patchListingsItem', 'deleteListingsItem'])
const isLink = ({ envelope }: FaultableOperation) => envelope === 'storage'

/** The fields of every action, and the operations it is possible for. */
export const actions: Readonly<Record<FaultKind, ActionSpecification>> = {
  status: { layer: 'request', required: ['status'], optional: ['when', 'code', 'message', 'details'], fits: all },
  latency: { layer: 'request', optional: ['milliseconds', 'minMilliseconds', 'maxMilliseconds'], fits: all },
  drop: { layer: 'request', optional: ['when'], fits: all },
  truncate: { layer: 'request', optional: ['bytes'], fits: all },
  throttle: { layer: 'request', optional: ['rateLimitHeader'], fits: ({ hasQuota }) => hasQuota },
  expireToken: { layer: 'request', fits: ({ takesToken }) => takesToken },
  ignore: { layer: 'request', fits: ({ name }) => listingWrites.has(name) },
  expiredLink: { layer: 'request', fits: isLink },
  slowDown: { layer: 'request', fits: isLink },
  notCompressed: { layer: 'request', fits: ({ name }) => name === 'downloadDocument' },
  stuck: { layer: 'job', optional: ['state'], fits: all },
  fatal: { layer: 'job', fits: all },
  cancel: { layer: 'job', fits: all },
  duplicate: { layer: 'message', optional: ['copies'], fits: all },
  reorder: { layer: 'message', optional: ['seconds'], fits: all },
  delay: { layer: 'message', required: ['seconds'], fits: all },
  lose: { layer: 'message', fits: all },
  refuse: { layer: 'message', optional: ['reason'], fits: all },
}

export const FAULT_KINDS = Object.keys(actions) as FaultKind[]

const jobFields: Readonly<Record<(typeof JOB_OPERATIONS)[number], readonly string[]>> = {
  processReport: ['sellerId', 'reportId', 'reportType'],
  processFeed: ['sellerId', 'feedId', 'feedType'],
}
const messageFields = ['sellerId', 'applicationId', 'destinationId', 'notificationType', 'queueArn']

export const backgroundOperations: readonly FaultableOperation[] = [
  ...JOB_OPERATIONS.map((name) => ({ name, layer: 'job' as const, fields: () => jobFields[name] })),
  { name: MESSAGE_OPERATION, layer: 'message' as const, fields: () => messageFields },
].map((operation) => ({ ...operation, envelope: 'api', takesToken: false, hasQuota: false }))
