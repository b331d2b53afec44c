import { expect, test } from 'vitest'
import { SharedText } from '../shared-text.ts'
import type { Message } from './port.ts'
import { serializeBatch } from './sqs-batch-body.ts'

const QUEUE = 'https://sqs.eu-west-1.amazonaws.com/123456789012/queue'

const message = (id: string, ...bodyParts: (string | SharedText)[]): Message => ({
  id,
  type: 'ANY_OFFER_CHANGED',
  source: 'souk',
  time: new Date(0),
  body: bodyParts.map((part) => (typeof part === 'string' ? part : part.text)).join(''),
  bodyParts,
})

const expected = (messages: readonly Message[]) =>
  JSON.stringify({ QueueUrl: QUEUE, Entries: messages.map(({ id, body }) => ({ Id: id, MessageBody: body })) })

test('messages with a long part in common arrive as they are', () => {
  const text = SharedText.ofText('"a" \\ \n é 漢 \u2028'.repeat(200))
  for (const sellerId of ['A1', 'A22', 'A333', 'A'.repeat(200)]) {
    const messages = [
      message('one', `{"seller":"${sellerId}","offers":"`, text, '","id":"1"}'),
      message('two', `{"seller":"${sellerId}","offers":"`, 'short', '","id":"2"}'),
    ]
    expect(serializeBatch(QUEUE, messages).toString()).toBe(expected(messages))
  }
})

test('a character of two code units arrives wherever the body is cut', () => {
  const text = '😀'.repeat(800)
  for (let end = 0; end < 4; end++) {
    const messages = [message('one', text.slice(0, 600 + end), SharedText.ofText(text.slice(600 + end)))]
    expect(JSON.parse(serializeBatch(QUEUE, messages).toString())).toEqual(JSON.parse(expected(messages)))
  }
})

test('a body without parts and a very long one arrive as they are', () => {
  const { bodyParts: _, ...whole } = message('whole', 'a "body"')
  const messages = [whole, message('long', '"'.repeat(100_000))]
  expect(serializeBatch(QUEUE, messages).toString()).toBe(expected(messages))
})
