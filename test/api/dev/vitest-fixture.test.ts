import { describe } from 'vitest'
import { defaultReadings } from '../../../src/platform/readings.ts'
import { createSoukTest, expect, test } from '../../../src/vitest/index.ts'

const urls = new Set<string>()

describe('the fixture souk', () => {
  test('is a marketplace without quotas', async ({ souk }) => {
    urls.add(souk.url)
    expect((await fetch(`${souk.url}/healthz`)).status).toBe(200)
    await souk.buyer.order({ sku: 'SOUK-SHOE-001', orderId: '902-0000001-0000001' })
    souk.clock.advance(86_400_000)
    souk.readings.change({ repeatSolicitation: 400 })
    await souk.faults.add({ action: { kind: 'status', status: 503 } })
  })

  test('is the same one for the next test, without what the test before it did', async ({ souk }) => {
    expect(urls).toContain(souk.url)
    expect(souk.clock.offsetMilliseconds).toBeLessThan(60_000)
    expect(souk.readings.current().repeatSolicitation).toBe(403)
    expect(await souk.faults.list()).toEqual([])
    await souk.buyer.order({ sku: 'SOUK-SHOE-001', orderId: '902-0000001-0000001' })
    souk.readings.change({ repeatSolicitation: 400 })
  })
})

describe.concurrent('concurrent tests', () => {
  for (const name of ['one', 'another']) {
    test(`have a marketplace of their own: ${name}`, async ({ souk }) => {
      expect(urls).not.toContain(souk.url)
      urls.add(souk.url)
      expect(souk.readings.current().repeatSolicitation).toBe(403)
      await souk.buyer.order({ sku: 'SOUK-SHOE-001', orderId: '902-0000001-0000001' })
    })
  }
})

let preparations = 0
const preparedTest = createSoukTest({
  prepare: async (souk) => {
    preparations++
    await souk.buyer.order({ sku: 'SOUK-SHOE-001', orderId: '902-0000002-0000002' })
    souk.readings.change({ destinationPath: 'plural' })
  },
})
const preparedReadings = { ...defaultReadings, destinationPath: 'plural' }

describe('a marketplace that was prepared', () => {
  for (const name of ['first', 'second']) {
    preparedTest(`starts each test with the state of the preparation: ${name}`, async ({ souk }) => {
      expect(preparations).toBe(1)
      expect(souk.readings.current()).toEqual(preparedReadings)
      expect(await souk.faults.list()).toEqual([])
      await souk.buyer.cancel({ orderId: '902-0000002-0000002' })
      souk.readings.change({ repeatSolicitation: 400, destinationPath: 'singular' })
      await souk.faults.add({ action: { kind: 'status', status: 503 } })
    })
  }

  preparedTest.concurrent('also a concurrent one', async ({ souk }) => {
    expect(souk.readings.current()).toEqual(preparedReadings)
    await souk.buyer.cancel({ orderId: '902-0000002-0000002' })
  })
})
