import { element } from '../../platform/xml.ts'
import { Input } from './input.ts'
import type { Protocol } from './protocol.ts'
import { QueueError } from './queue-error.ts'

const MAX_PARAMETERS = 1000
const MAX_DEPTH = 8
const NAMESPACE = 'http://queue.amazonaws.com/doc/2012-11-05/'

/** Names of numbered parameters, and the list of the JSON protocol that they are items of. */
const lists = new Map([
  ['AttributeName', 'AttributeNames'],
  ['MessageSystemAttributeName', 'MessageSystemAttributeNames'],
  ['MessageAttributeName', 'MessageAttributeNames'],
  ['TagKey', 'TagKeys'],
  ['SendMessageBatchRequestEntry', 'Entries'],
  ['DeleteMessageBatchRequestEntry', 'Entries'],
  ['ChangeMessageVisibilityBatchRequestEntry', 'Entries'],
])

/** The same for entries of maps, with the names of their keys and values. */
const maps = new Map([
  ['Attribute', { fields: ['Attributes'], key: 'Name' }],
  ['MessageAttribute', { fields: ['MessageAttributes'], key: 'Name' }],
  // The JSON protocol has the first name in CreateQueue and the second in TagQueue.
  ['Tag', { fields: ['tags', 'Tags'], key: 'Key' }],
])

/** Names of elements for the items of a list in a response. */
const items = new Map([
  ['Messages', 'Message'],
  ['QueueUrls', 'QueueUrl'],
  ['Failed', 'BatchResultErrorEntry'],
])

/** Names of elements for the entries of a map in a response. */
const entries = new Map([
  ['Attributes', { element: 'Attribute', key: 'Name' }],
  ['MessageAttributes', { element: 'MessageAttribute', key: 'Name' }],
  ['Tags', { element: 'Tag', key: 'Key' }],
])

/** The AWS query protocol: a form in, XML out. Older SDKs use it, such as the AWS SDK for Java 1. */
export const queryProtocol: Protocol = {
  contentType: 'text/xml',

  parse({ url, body }) {
    const query = url.includes('?') ? url.slice(url.indexOf('?') + 1) : ''
    const fields = toFields(parseTree([query, body].filter(Boolean).join('&')))
    const { Action } = fields
    if (typeof Action !== 'string') throw new QueueError('InvalidAction', 'The request has no action of Amazon SQS.')
    return { action: Action, input: new Input(fields) }
  },

  renderResult(action, result, requestId) {
    const content = renderFields(result, action)
    const resultElement = content && `<${action}Result>${content}</${action}Result>`
    const metadata = `<ResponseMetadata>${element('RequestId', requestId)}</ResponseMetadata>`
    return document(`${action}Response`, resultElement + metadata)
  },

  renderError({ kind, message, isSenderFault }, requestId) {
    const type = element('Type', isSenderFault ? 'Sender' : 'Receiver')
    const error = `<Error>${type}${element('Code', kind.code)}${element('Message', message)}<Detail/></Error>`
    return document('ErrorResponse', error + element('RequestId', requestId))
  },

  errorHeaders: () => ({}),
}

type Tree = Map<string, Tree | string>

/** `Attribute.1.Name=a` is the text a at the path Attribute, 1, Name. */
function parseTree(form: string): Tree {
  const parameters = form.split('&', MAX_PARAMETERS + 1)
  if (parameters.length > MAX_PARAMETERS) throw malformed(`The request has more than ${MAX_PARAMETERS} parameters.`)
  const root: Tree = new Map()
  for (const [name, value] of new URLSearchParams(form)) {
    const path = name.split('.', MAX_DEPTH)
    const last = path.pop() as string
    let node = root
    for (const part of path) {
      const child = node.get(part) ?? new Map()
      if (typeof child === 'string') throw malformed('A parameter has both a value and parts.')
      node.set(part, child)
      node = child
    }
    node.set(last, value)
  }
  return root
}

function toFields(tree: Tree): Record<string, unknown> {
  const fields = [...tree].flatMap(([name, value]): [string, unknown][] => {
    const list = lists.get(name)
    if (list) return [[list, inOrder(value).map(toValue)]]
    const map = maps.get(name)
    if (!map) return [[name, toValue(value)]]
    const pairs = inOrder(value).map((pair) => toPair(pair, map.key))
    return map.fields.map((field) => [field, Object.fromEntries(pairs)])
  })
  return Object.fromEntries(fields)
}

const toValue = (value: Tree | string) => (typeof value === 'string' ? value : toFields(value))

/** A single item may have no number. */
function inOrder(value: Tree | string): (Tree | string)[] {
  if (typeof value === 'string') return value === '' ? [] : [value]
  return [...value].sort(([a], [b]) => Number(a) - Number(b)).map(([, item]) => item)
}

function toPair(pair: Tree | string, keyName: string): [string, unknown] {
  const key = typeof pair === 'string' ? undefined : pair.get(keyName)
  if (typeof key !== 'string') throw malformed(`An entry of a map has no ${keyName}.`)
  return [key, toValue((pair as Tree).get('Value') ?? '')]
}

function renderFields(fields: object, action: string): string {
  return Object.entries(fields)
    .map(([name, value]) => renderField(name, value, action))
    .join('')
}

function renderField(name: string, value: unknown, action: string): string {
  if (Array.isArray(value)) {
    const item = items.get(name) ?? `${action}ResultEntry`
    return value.map((one) => renderValue(item, one, action)).join('')
  }
  const map = entries.get(name)
  if (!map) return renderValue(name, value, action)
  return Object.entries(value as object)
    .map(([key, entry]) => {
      return `<${map.element}>${element(map.key, key)}${renderValue('Value', entry, action)}</${map.element}>`
    })
    .join('')
}

const renderValue = (name: string, value: unknown, action: string): string =>
  typeof value === 'object' && value !== null
    ? `<${name}>${renderFields(value, action)}</${name}>`
    : element(name, String(value))

const document = (root: string, content: string) =>
  `<?xml version="1.0"?><${root} xmlns="${NAMESPACE}">${content}</${root}>`

const malformed = (message: string) => new QueueError('MalformedInput', message)
