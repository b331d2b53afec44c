import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { seedRules } from '../../composition/seed-ports.ts'
import { openSource } from './open-seed.ts'

const ORDERS = 8_000
const HEAD = `sellers:
- sellerId: S1
  participations:
  - ATVPDKIKX0DER
orders:
`
const LINES_OF_HEAD = 5
const LINES_OF_ORDER = 11
const order = (index: number, status = 'Shipped') => `- orderId: 111-${String(index).padStart(7, '0')}-0000001
  sellerId: S1
  marketplaceId: ATVPDKIKX0DER
  status: ${status}
  purchasedAt: "2026-05-01T00:00:00Z"
  items:
  - sku: HAT-1
    asin: B0HAT00001
    title: Felt hat
    priceMinor: 4990
    quantity: 1
`
const seedWith = (lastStatus?: string) =>
  HEAD +
  Array.from({ length: ORDERS }, (_, index) => order(index, index === ORDERS - 1 ? lastStatus : undefined)).join('')
const open = (text: string, report?: (done: number, total: number) => void) =>
  openSource({ bytes: Buffer.from(text) }, seedRules, new Date('2026-06-01T12:00:00Z'), report)

/** The same as JSON, each member on a line of its own. */
const jsonOf = (lastStatus?: string) => {
  const orders = Array.from({ length: ORDERS }, (_, index) => ({
    orderId: `111-${String(index).padStart(7, '0')}-0000001`,
    sellerId: 'S1',
    marketplaceId: 'ATVPDKIKX0DER',
    status: index === ORDERS - 1 && lastStatus !== undefined ? lastStatus : 'Shipped',
    purchasedAt: '2026-05-01T00:00:00Z',
    items: [{ sku: 'HAT-1', asin: 'B0HAT00001', title: 'Felt hat', priceMinor: 4990, quantity: 1 }],
  }))
  return JSON.stringify({ orders, sellers: [{ sellerId: 'S1', participations: ['ATVPDKIKX0DER'] }] }, null, 2)
}

test.each([
  ['YAML', seedWith],
  ['JSON', jsonOf],
])(
  'a large seed in %s is read in steps, between which other work goes on, and reports its progress',
  async (_, write) => {
    // Loads what it needs, which takes turns, too.
    await open(HEAD + order(0))
    const text = write()
    const reported: number[] = []
    let turns = 0
    let isOpen = false
    const opening = open(text, (done, total) => {
      expect(total).toBe(text.length)
      reported.push(done)
    }).finally(() => {
      isOpen = true
    })
    while (!isOpen) {
      await setImmediate()
      turns++
    }
    const { orders } = await (await opening).complete(new Date('2026-06-01T12:00:00Z'))
    expect(orders).toHaveLength(ORDERS)
    expect(reported.length).toBeGreaterThan(5)
    expect(reported).toEqual(reported.toSorted((one, other) => one - other))
    expect(reported.at(-1)).toBe(text.length)
    // One for each part of the text, and one for each 500 orders in each check.
    expect(turns).toBeGreaterThan(reported.length + (3 * ORDERS) / 500)
  },
)

test('a mistake far inside a large seed has its place in the whole', async () => {
  const line = LINES_OF_HEAD + (ORDERS - 1) * LINES_OF_ORDER + 4
  await expect(open(seedWith('Lost'))).rejects.toThrow(`seed:${line}:3: orders[${ORDERS - 1}].status: must be one of`)
})

test('a mistake far inside a large seed in JSON has its place, too', async () => {
  const text = jsonOf('Lost')
  const line = text.slice(0, text.indexOf('"Lost"')).split('\n').length
  await expect(open(text)).rejects.toThrow(`seed:${line}:7: orders[${ORDERS - 1}].status: must be one of`)
  const repeated = text.replace('"status": "Lost"', '"status": "Shipped", "status": "Shipped"')
  await expect(open(repeated)).rejects.toThrow(`seed:${line}:28: `)
})

test.each<[what: string, change: (json: string) => string, message: RegExp]>([
  ['that is cut', (json) => json.slice(0, -30), /^seed:\d{6}:\d+: is not valid JSON: Unterminated string$/],
  [
    'that ends too early',
    (json) => json.slice(0, json.lastIndexOf('}')),
    /^seed:\d{6}:\d+: is not valid JSON: Expected ','/,
  ],
  [
    'with a comma too many',
    (json) => json.replace(/\]\s*\}\s*$/, ',$&'),
    /^seed:\d{6}:\d+: is not valid JSON: Unexpected token '\]'$/,
  ],
])('long JSON %s is refused with the place of the mistake', async (_what, change, message) => {
  await expect(open(change(jsonOf()))).rejects.toThrow(message)
})
