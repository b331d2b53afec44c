import { beforeAll, describe, expect, test } from 'vitest'
import { runSouk } from '../support/souk-process.ts'

// A contract: other programs read these keys. Keys may be added, but not removed.
const KEYS = [
  'clientId',
  'clientSecret',
  'refreshToken',
  'applicationId',
  'sellerId',
  'marketplaceId',
  'productType',
  'skus',
  'asins',
  'orders',
  'otherSeller',
]
const ADDED = ['operatorKey', 'signingKey']
const ORDER_ID = expect.stringMatching(/^\d{3}-\d{7}-\d{7}$/)
const SELLER_ID = expect.stringMatching(/^A[0-9A-Z]{12,13}$/)
const REFRESH_TOKEN = expect.stringMatching(/^Atzr\|.{10,}$/)

describe('souk demo --json', () => {
  let demo: {
    skus: string[]
    asins: string[]
    orders: { eligible: string[] } & Record<string, string>
    otherSeller: { sellerId: string; refreshToken: string }
    sellerId: string
    refreshToken: string
  }
  beforeAll(async () => {
    const { code, stdout, stderr } = await runSouk(['demo', '--json'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    demo = JSON.parse(stdout)
  })

  test('has exactly the expected keys', () => {
    expect(Object.keys(demo).sort()).toEqual([...KEYS, ...ADDED].sort())
  })

  test('has ids and credentials that look like those of the live service', () => {
    expect(demo).toMatchObject({
      clientId: expect.stringMatching(/^amzn1\.application-oa2-client\.[0-9a-f]{32}$/),
      clientSecret: expect.stringMatching(/^amzn1\.oa2-cs\.v1\.[0-9a-f]{64}$/),
      refreshToken: REFRESH_TOKEN,
      applicationId: expect.stringMatching(/^amzn1\.sp\.solution\.[0-9a-f-]{36}$/),
      sellerId: SELLER_ID,
      marketplaceId: 'ATVPDKIKX0DER',
      productType: expect.stringMatching(/^[A-Z_]+$/),
      signingKey: { accessKeyId: expect.stringMatching(/^AKIA[0-9A-Z]{16}$/), secretAccessKey: expect.any(String) },
    })
  })

  test('has a second seller with a separate token', () => {
    expect(demo.otherSeller).toEqual({ sellerId: SELLER_ID, refreshToken: REFRESH_TOKEN })
    expect(demo.otherSeller.sellerId).not.toBe(demo.sellerId)
    expect(demo.otherSeller.refreshToken).not.toBe(demo.refreshToken)
  })

  test('has products by SKU and ASIN', () => {
    expect(demo.skus.length).toBeGreaterThan(0)
    expect(demo.asins).toEqual(demo.skus.map(() => expect.stringMatching(/^B0[0-9A-Z]{8}$/)))
  })

  test('has at least twenty eligible orders, and one of each ineligible kind', () => {
    const { eligible, ...others } = demo.orders
    expect(eligible.length).toBeGreaterThanOrEqual(20)
    expect(eligible).toEqual(eligible.map(() => ORDER_ID))
    expect(others).toEqual({
      notDelivered: ORDER_ID,
      tooEarly: ORDER_ID,
      tooLate: ORDER_ID,
      optedOut: ORDER_ID,
      alreadySolicited: ORDER_ID,
    })
    const all = [...eligible, ...Object.values(others)]
    expect(new Set(all).size).toBe(all.length)
  })
})

test('souk demo prints the same in human-readable form', async () => {
  const { code, stdout } = await runSouk(['demo'])
  expect(code).toBe(0)
  for (const key of KEYS) expect(stdout).toMatch(new RegExp(`^${key} `, 'm'))
})
