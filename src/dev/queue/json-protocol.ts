import { Input } from './input.ts'
import type { Protocol } from './protocol.ts'
import { QueueError } from './queue-error.ts'

const CONTENT_TYPE = 'application/x-amz-json-1.0'

/** AWS JSON 1.0, which current SDKs use. The operation is in the header `x-amz-target`. */
export const jsonProtocol: Protocol = {
  contentType: CONTENT_TYPE,

  parse({ headers, body }) {
    const [, action = ''] = /^AmazonSQS\.(\w{1,100})$/.exec(String(headers['x-amz-target'])) ?? []
    return { action, input: new Input(parseJson(body)) }
  },

  renderResult: (_action, result) => JSON.stringify(result),

  renderError: ({ kind, message }) => JSON.stringify({ __type: kind.type, message }),

  // SDKs report the code of the query protocol, which older programs check.
  errorHeaders: ({ kind, isSenderFault }) => ({
    'x-amzn-query-error': `${kind.code};${isSenderFault ? 'Sender' : 'Receiver'}`,
  }),
}

function parseJson(body: string): unknown {
  if (body === '') return {}
  try {
    return JSON.parse(body)
  } catch {
    throw new QueueError('MalformedInput', 'The body is not valid JSON.')
  }
}
