import { describe, expect, test } from 'vitest'
import { parseEnvelope } from './envelope.ts'
import { parseOrderMessage } from './order-message.ts'

const ORDER = '123-1234567-1234567'

async function read(kind: string, body: string, id = '<MessageID>5</MessageID>') {
  const text = `<AmazonEnvelope><Message>${id}<${kind}>${body}</${kind}></Message></AmazonEnvelope>`
  const message = (await parseEnvelope(Buffer.from(text))).parseMessage(0)
  if (!message) throw new Error('There is no message')
  return parseOrderMessage(message, kind)
}
const readShipment = (more: string) => read('OrderFulfillment', `<AmazonOrderID>${ORDER}</AmazonOrderID>${more}`)
const item = (code: string, quantity = '') =>
  `<Item><AmazonOrderItemCode>${code}</AmazonOrderItemCode>${quantity}</Item>`

describe('a message of an order feed', () => {
  test('of fulfillment contains order, date and items', async () => {
    const date = '<FulfillmentDate>2026-05-31T10:00:00+02:00</FulfillmentDate>'
    expect(await readShipment(`${date}${item('1', '<Quantity>2</Quantity>')}${item('22')}`)).toEqual({
      messageId: 5,
      orderId: ORDER,
      kind: 'fulfillment',
      shipDate: '2026-05-31T10:00:00+02:00',
      items: [{ orderItemId: '1', quantity: 2 }, { orderItemId: '22' }],
    })
  })

  test('of fulfillment needs neither a date nor items', async () => {
    expect(await readShipment('')).toEqual({ messageId: 5, orderId: ORDER, kind: 'fulfillment', items: [] })
  })

  test.each([
    ['Success', true],
    ['Failure', false],
  ])('of acknowledgement contains %s', async (status, isAccepted) => {
    const body = `<AmazonOrderID>${ORDER}</AmazonOrderID><StatusCode>${status}</StatusCode>`
    expect(await read('OrderAcknowledgement', body)).toEqual({
      messageId: 5,
      orderId: ORDER,
      kind: 'acknowledgement',
      isAccepted,
    })
  })

  test.each([
    '',
    '<MessageID/>',
    '<MessageID>0</MessageID>',
    '<MessageID>x</MessageID>',
    '<MessageID>2147483648</MessageID>',
  ])('is refused without an id: %o', async (id) => {
    const error = await read('OrderFulfillment', `<AmazonOrderID>${ORDER}</AmazonOrderID>`, id)
    expect(error).toEqual({ error: expect.stringMatching(/^MessageID must be/) })
  })

  test.each(['', '123', `${ORDER}0`, `x${ORDER}`, 'abc-1234567-1234567'])(
    'is refused with the order %o',
    async (orderId) => {
      expect(await read('OrderFulfillment', `<AmazonOrderID>${orderId}</AmazonOrderID>`)).toEqual({
        messageId: 5,
        error: expect.stringMatching(/^AmazonOrderID must be/),
      })
    },
  )

  test.each([
    '<Quantity/>',
    '<Quantity>0</Quantity>',
    '<Quantity>-1</Quantity>',
    '<Quantity>1e3</Quantity>',
    '<Quantity>99999999</Quantity>',
  ])('is refused with %s', async (quantity) => {
    expect(await readShipment(item('1', quantity))).toEqual({
      messageId: 5,
      error: expect.stringMatching(/^Quantity must be/),
    })
  })

  test.each(['', 'x', '1'.repeat(21), '-1'])('is refused with the item %o', async (code) => {
    expect(await readShipment(item(code))).toMatchObject({
      error: expect.stringMatching(/^AmazonOrderItemCode must be/),
    })
  })
})
