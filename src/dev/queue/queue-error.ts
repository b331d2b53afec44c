const SQS = 'com.amazonaws.sqs'
const COMMON = 'com.amazon.coral.service'
const LEGACY = 'AWS.SimpleQueueService.'

interface ErrorKind {
  status: number
  /** The type in the JSON protocol, by which SDKs choose the class of the error. */
  type: string
  /** The code in the query protocol, which SDKs still report as the code of the error. */
  code: string
}

const modeled = (name: string, status: number, code = name): ErrorKind => ({ status, type: `${SQS}#${name}`, code })
const common = (name: string, status: number, code: string): ErrorKind => ({ status, type: `${COMMON}#${name}`, code })

/** The errors of Amazon SQS, with the statuses and codes of its public model. */
const kinds = {
  BatchEntryIdsNotDistinct: modeled('BatchEntryIdsNotDistinct', 400, `${LEGACY}BatchEntryIdsNotDistinct`),
  BatchRequestTooLong: modeled('BatchRequestTooLong', 400, `${LEGACY}BatchRequestTooLong`),
  EmptyBatchRequest: modeled('EmptyBatchRequest', 400, `${LEGACY}EmptyBatchRequest`),
  InvalidAttributeName: modeled('InvalidAttributeName', 400),
  InvalidAttributeValue: modeled('InvalidAttributeValue', 400),
  InvalidBatchEntryId: modeled('InvalidBatchEntryId', 400, `${LEGACY}InvalidBatchEntryId`),
  InvalidMessageContents: modeled('InvalidMessageContents', 400),
  MessageNotInflight: modeled('MessageNotInflight', 400, `${LEGACY}MessageNotInflight`),
  QueueDoesNotExist: modeled('QueueDoesNotExist', 400, `${LEGACY}NonExistentQueue`),
  QueueNameExists: modeled('QueueNameExists', 400, 'QueueAlreadyExists'),
  ReceiptHandleIsInvalid: modeled('ReceiptHandleIsInvalid', 404),
  RequestThrottled: modeled('RequestThrottled', 403),
  TooManyEntriesInBatchRequest: modeled('TooManyEntriesInBatchRequest', 400, `${LEGACY}TooManyEntriesInBatchRequest`),
  UnsupportedOperation: modeled('UnsupportedOperation', 400, `${LEGACY}UnsupportedOperation`),
  AccessDenied: common('AccessDeniedException', 403, 'AccessDenied'),
  InvalidAction: common('UnknownOperationException', 400, 'InvalidAction'),
  InvalidParameterValue: common('InvalidParameterValueException', 400, 'InvalidParameterValue'),
  MissingParameter: common('MissingRequiredParameterException', 400, 'MissingParameter'),
  MalformedInput: common('SerializationException', 400, 'MalformedInput'),
  RequestTooLarge: common('RequestEntityTooLargeException', 413, 'RequestEntityTooLarge'),
  InternalFailure: common('InternalFailure', 500, 'InternalFailure'),
  ServiceUnavailable: common('ServiceUnavailableException', 503, 'ServiceUnavailable'),
} satisfies Record<string, ErrorKind>

export class QueueError extends Error {
  override name = 'QueueError'
  readonly kind: ErrorKind

  constructor(kind: keyof typeof kinds, message: string) {
    super(message)
    this.kind = kinds[kind]
  }

  get isSenderFault(): boolean {
    return this.kind.status < 500
  }
}

export const invalidParameter = (name: string, value: unknown, reason: string) =>
  new QueueError('InvalidParameterValue', `Value ${String(value)} for parameter ${name} is invalid. Reason: ${reason}`)

export const missingParameter = (name: string) =>
  new QueueError('MissingParameter', `The request must contain the parameter ${name}.`)

export const unknownAttribute = (name: string) => new QueueError('InvalidAttributeName', `Unknown Attribute ${name}.`)
