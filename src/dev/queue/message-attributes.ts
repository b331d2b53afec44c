import { createHash } from 'node:crypto'
import type { Input } from './input.ts'
import { QueueError } from './queue-error.ts'

export interface MessageAttribute {
  DataType: string
  StringValue?: string
  /** In base64. */
  BinaryValue?: string
}

export type MessageAttributes = Readonly<Record<string, MessageAttribute>>

const MAX_ATTRIBUTES = 10
const NAME = /^(?!AWS\.|Amazon\.|\.)(?!.*\.\.)[A-Za-z0-9_.-]{1,256}(?<!\.)$/i
const DATA_TYPE = /^(String|Number|Binary)(\..{1,240})?$/
const NUMBER = /^[+-]?(\d{1,128}(\.\d{0,128})?|\.\d{1,128})([eE][+-]?\d{1,3})?$/
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

export function parseMessageAttributes(input: Input): MessageAttributes {
  const entries = input.structureMap('MessageAttributes')
  if (entries.length > MAX_ATTRIBUTES) {
    throw new QueueError(
      'InvalidParameterValue',
      `Number of message attributes [${entries.length}] exceeds the allowed maximum [${MAX_ATTRIBUTES}].`,
    )
  }
  return Object.fromEntries(entries.map(([name, value]) => [name, parseAttribute(name, value)]))
}

function parseAttribute(name: string, input: Input): MessageAttribute {
  if (!NAME.test(name)) throw invalidAttribute(name, 'has an invalid name')
  const type = input.text('DataType')
  if (!type) throw invalidAttribute(name, 'must contain a non-empty message attribute type')
  if (!DATA_TYPE.test(type)) throw invalidAttribute(name, 'has an invalid message attribute type')
  const [text, binary] = [input.text('StringValue'), input.text('BinaryValue')]
  if (type.startsWith('Binary')) {
    if (!binary) throw invalidAttribute(name, `must contain a non-empty value of type ${type}`)
    if (text !== undefined || !BASE64.test(binary)) throw invalidAttribute(name, 'has an invalid binary value')
    return { DataType: type, BinaryValue: binary }
  }
  if (!text) throw invalidAttribute(name, `must contain a non-empty value of type ${type}`)
  if (binary !== undefined) throw invalidAttribute(name, 'has a binary value, but another type')
  if (type.startsWith('Number') && !NUMBER.test(text)) throw invalidAttribute(name, 'has an invalid number')
  return { DataType: type, StringValue: text }
}

const invalidAttribute = (name: string, problem: string) =>
  new QueueError('InvalidParameterValue', `The message attribute '${name.slice(0, 256)}' ${problem}.`)

const bytesOf = ({ StringValue, BinaryValue = '' }: MessageAttribute) =>
  StringValue === undefined ? Buffer.from(BinaryValue, 'base64') : Buffer.from(StringValue)

/** A message counts with its body and all names, types and values of its attributes. */
export function sizeOf(body: string, attributes: MessageAttributes): number {
  const sizes = Object.entries(attributes).map(
    ([name, attribute]) => Buffer.byteLength(name + attribute.DataType) + bytesOf(attribute).length,
  )
  return sizes.reduce((sum, size) => sum + size, Buffer.byteLength(body))
}

/** The names that a client wants: names, prefixes as `prefix.*`, or `All`. */
export function selectAttributes(attributes: MessageAttributes, names: readonly string[]): MessageAttributes {
  if (names.includes('All') || names.includes('.*')) return attributes
  const prefixes = names.filter((name) => name.endsWith('.*')).map((name) => name.slice(0, -2))
  const isWanted = (name: string) => names.includes(name) || prefixes.some((prefix) => name.startsWith(prefix))
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => isWanted(name)))
}

export const md5Of = (data: string) => createHash('md5').update(data).digest('hex')

const STRING_VALUE = 1
const BINARY_VALUE = 2

/** SDKs compute the same digest and compare. Undefined without attributes. */
export function md5OfAttributes(attributes: MessageAttributes): string | undefined {
  const names = Object.keys(attributes).sort()
  if (names.length === 0) return undefined
  const hash = createHash('md5')
  const update = (bytes: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytes.length)
    hash.update(length).update(bytes)
  }
  for (const name of names) {
    const attribute = attributes[name] as MessageAttribute
    update(Buffer.from(name))
    update(Buffer.from(attribute.DataType))
    hash.update(Buffer.of(attribute.StringValue === undefined ? BINARY_VALUE : STRING_VALUE))
    update(bytesOf(attribute))
  }
  return hash.digest('hex')
}
