import { beforeAll, describe, expect, test } from 'vitest'
import type { Feedback } from '../../../src/marketplace/trade/feedback.ts'
import { buildOrder } from '../../support/orders.ts'
import {
  addSeller,
  DE,
  FEEDBACK,
  parseFlatFile,
  putOperatorData,
  type ReportsClient,
  US,
} from '../../support/reports.ts'
import { startTestSouk, type TestSouk } from '../../support/souk.ts'

const SELLER = 'A3FEEDBACK'
const OTHER_SELLER = 'A4FEEDBACK'

let souk: TestSouk
let client: ReportsClient

const orderId = (number: number) => `900-0000000-000000${number}`
const feedback = (number: number, overrides: Partial<Feedback>): Feedback => ({
  sellerId: SELLER,
  orderId: orderId(number),
  submittedAt: '2026-05-10T10:00:00.000Z',
  rating: 5,
  comment: 'Good',
  ...overrides,
})

beforeAll(async () => {
  souk = await startTestSouk()
  client = await addSeller(souk, SELLER, [US, DE])
  await addSeller(souk, OTHER_SELLER)
  const order = (number: number, overrides = {}) =>
    buildOrder(souk.clock.now(), { sellerId: SELLER, orderId: orderId(number), ...overrides })
  await putOperatorData(souk, {
    orders: [
      ...[1, 2, 3, 4].map((number) => order(number)),
      order(5, { marketplaceId: DE, currencyCode: 'EUR' }),
      order(1, { sellerId: OTHER_SELLER }),
    ],
    feedback: [
      feedback(1, {
        submittedAt: '2026-05-10T10:00:00.999Z',
        rating: 1,
        comment: 'Too small.',
        response: 'Sorry.',
        raterEmail: 'buyer-1@marketplace.example',
      }),
      feedback(2, { submittedAt: '2026-05-09T00:00:00.000Z', comment: '' }),
      feedback(3, { submittedAt: '2025-06-01T12:00:00.000Z', comment: 'A year ago' }),
      feedback(4, { submittedAt: '2025-06-01T11:59:59.999Z', comment: 'More than a year ago' }),
      feedback(5, { comment: 'Gut' }),
      feedback(1, { sellerId: OTHER_SELLER, comment: 'Not yours' }),
    ],
  })
})

const rowsOf = (text: string) => parseFlatFile(text).map((row) => row.join('|'))

describe(FEEDBACK, () => {
  test('has one line per feedback of the last year, in chronological order', async () => {
    expect(rowsOf(await client.text({ reportType: FEEDBACK }))).toEqual([
      'Date|Rating|Comments|Response|Order ID|Rater Email',
      `2025-06-01T12:00:00Z|5|A year ago||${orderId(3)}|`,
      `2026-05-09T00:00:00Z|5|||${orderId(2)}|`,
      `2026-05-10T10:00:00Z|1|Too small.|Sorry.|${orderId(1)}|buyer-1@marketplace.example`,
    ])
  })

  test('contains only the requested marketplaces', async () => {
    const [, ...german] = rowsOf(await client.text({ reportType: FEEDBACK, marketplaceIds: [DE] }))
    expect(german).toEqual([`2026-05-10T10:00:00Z|5|Gut||${orderId(5)}|`])
  })

  test('filters by the time of submission, both ends inclusive', async () => {
    const window = { dataStartTime: '2025-06-01T11:59:59.999Z', dataEndTime: '2026-05-09' }
    const [, ...rows] = rowsOf(await client.text({ reportType: FEEDBACK, ...window }))
    expect(rows.map((row) => row.split('|')[4])).toEqual([4, 3, 2].map(orderId))
  })
})
