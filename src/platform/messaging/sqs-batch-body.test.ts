import { expect, test } from 'vitest'
import type { Message } from './port.ts'
import { SqsBatchBody } from './sqs-batch-body.ts'

const QUEUE = 'https://sqs.eu-west-1.amazonaws.com/123456789012/queue'

const message = (id: string, ...bodyParts: string[]): Message => ({
  id,
  type: 'ANY_OFFER_CHANGED',
  source: 'souk',
  time: new Date(0),
  body: bodyParts.join(''),
  bodyParts,
})

const expected = (messages: readonly Message[]) =>
  JSON.stringify({ QueueUrl: QUEUE, Entries: messages.map(({ id, body }) => ({ Id: id, MessageBody: body })) })

/** A payload of a seller. Other sellers get the same but for the start. */
const payload = (sellerId: string, text: string) => JSON.stringify({ SellerId: sellerId, Offers: text })

test('messages whose long payloads differ at the start arrive as they are', () => {
  const batches = new SqsBatchBody()
  const text = '"a" \\ \n é 漢 \u2028'.repeat(200)
  for (const sellerId of ['A1', 'A22', 'A333', 'A'.repeat(200)]) {
    const messages = [
      message('one', '{"payload":', payload(sellerId, text), ',"id":"1"}'),
      message('two', '{"payload":', payload(sellerId, 'short'), ',"id":"2"}'),
    ]
    expect(batches.serialize(QUEUE, messages).toString()).toBe(expected(messages))
  }
})

test('a character of two code units arrives wherever the payload is cut', () => {
  const batches = new SqsBatchBody()
  for (let before = 0; before < 130; before++) {
    const messages = [message('one', `${'a'.repeat(before)}${'😀'.repeat(400)}`)]
    expect(JSON.parse(batches.serialize(QUEUE, messages).toString())).toEqual(JSON.parse(expected(messages)))
  }
})

test('a body without parts and a very long one arrive as they are', () => {
  const { bodyParts: _, ...whole } = message('whole', 'a "body"')
  const messages = [whole, message('long', '"'.repeat(100_000))]
  expect(new SqsBatchBody().serialize(QUEUE, messages).toString()).toBe(expected(messages))
})
