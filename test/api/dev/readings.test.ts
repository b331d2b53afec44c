import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { defaultReadings } from '../../../src/platform/readings.ts'
import { testDialect } from '../../support/databases.ts'
import { DESTINATIONS, notificationsClient } from '../../support/notifications.ts'
import { DOCUMENTS, ReportsClient } from '../../support/reports.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

const AT_START = { ...defaultReadings, contentType: 'strict' }
const ACTION = 'productReviewAndSellerFeedback'

let souk: TestSouk
beforeAll(async () => {
  souk = await startTestSouk({ readings: { contentType: 'strict' } })
})
beforeEach(async () => {
  await change(AT_START)
})

const readings = async () => (await souk.get('/_souk/readings')).json()
const change = (payload: object | string) =>
  souk.send('PATCH', '/_souk/readings', { payload, headers: { 'content-type': 'application/json' } })

describe('/_souk/readings', () => {
  test('changes the named readings and returns all', async () => {
    const changed = { ...AT_START, repeatSolicitation: 400, destinationPath: 'plural' }
    const response = await change({ repeatSolicitation: 400, destinationPath: 'plural' })
    expect([response.statusCode, response.json()]).toEqual([200, changed])
    expect(await readings()).toEqual(changed)
    expect((await change({})).json()).toEqual(changed)
  })

  test.each([
    [{ repeatSolicitation: 409 }, 'repeatSolicitation'],
    [{ repeatSolicitation: '400' }, 'repeatSolicitation'],
    [{ repeatSolicitation: 400, destinationPath: 'none' }, 'destinationPath'],
    [{ repeatSolicitation: 400, other: 1 }, 'other'],
    [[], ''],
    ['{', 'JSON'],
  ])('refuses %j, and changes nothing', async (payload, place) => {
    expect(errorOf(await change(payload))).toMatchObject({ status: 400, code: 'InvalidInput' })
    expect((await change(payload)).body).toContain(place)
    expect(await readings()).toEqual(AT_START)
  })

  test('a reset returns to the readings of the start', async () => {
    await change({ contentType: 'lenient', disabledActions: 'listed' })
    await souk.post('/_souk/reset')
    expect(await readings()).toEqual(AT_START)
  })

  test.skipIf(testDialect === 'postgres')(
    'a fork starts with the readings of its parent, has its own from then on, and a reset of it returns to those of the start',
    async () => {
      await change({ disabledActions: 'listed' })
      const fork = await souk.fork()
      await change({ disabledActions: 'hidden' })
      expect(await (await fetch(`${fork.url}/_souk/readings`)).json()).toEqual({
        ...AT_START,
        disabledActions: 'listed',
      })
      await fork.reset()
      expect(fork.readings.current()).toEqual(AT_START)
      await fork.stop()
    },
  )

  test('startSouk() changes them, too, and refuses unknown ones', async () => {
    expect(souk.readings.change({ repeatSolicitation: 400 })).toEqual({ ...AT_START, repeatSolicitation: 400 })
    expect(await readings()).toEqual(souk.readings.current())
    expect(() => souk.readings.change({ repeatSolicitation: 404 } as never)).toThrow('must be 403 or 400, not 404')
    expect(souk.readings.current().repeatSolicitation).toBe(400)
  })
})

describe('the reading', () => {
  const orderPath = (orderId: string, rest = '') =>
    `/solicitations/v1/orders/${orderId}${rest}?marketplaceIds=${souk.demo.marketplaceId}`

  test('repeatSolicitation selects the status of a second solicitation', async () => {
    const token = await souk.tokenFor(souk.demo.refreshToken)
    const repeat = () => souk.post(orderPath(souk.demo.orders.alreadySolicited, `/solicitations/${ACTION}`), { token })
    expect(errorOf(await repeat())).toMatchObject({ status: 403, code: 'Unauthorized' })
    await change({ repeatSolicitation: 400 })
    expect(errorOf(await repeat())).toMatchObject({ status: 400, code: 'InvalidInput' })
  })

  test('disabledActions lists the action of an order that is not eligible, with the reason', async () => {
    const token = await souk.tokenFor(souk.demo.refreshToken)
    const actionsOf = async (orderId: string) => (await souk.get(orderPath(orderId), { token })).json()
    const { notDelivered } = souk.demo.orders
    const eligible = souk.demo.orders.eligible[0] as string
    const before = await actionsOf(eligible)
    expect((await actionsOf(notDelivered))._embedded.actions).toEqual([])
    await change({ disabledActions: 'listed' })
    const { _links, _embedded } = await actionsOf(notDelivered)
    expect(_links.actions).toEqual([{ href: orderPath(notDelivered, `/solicitations/${ACTION}`), name: ACTION }])
    expect(_embedded.actions).toHaveLength(1)
    expect(_embedded.actions[0]._embedded.schema).toMatchObject({
      disabled: true,
      disabledReason: 'The order has not been delivered yet.',
    })
    expect(await actionsOf(eligible)).toEqual(before)
  })

  test('contentType decides whether getReportDocument needs a body', async () => {
    const client = new ReportsClient(souk)
    const { reportDocumentId } = await client.finished()
    const get = (request?: object) => client.get(`${DOCUMENTS}/${reportDocumentId}`, request)
    const body = { headers: { 'content-type': 'application/json' }, payload: '{"contentType":"application/json"}' }
    expect(errorOf(await get())).toMatchObject({ status: 400, details: 'contentType is missing.' })
    expect((await get(body)).statusCode).toBe(200)
    await change({ contentType: 'lenient' })
    expect((await get()).statusCode).toBe(200)
  })

  test('destinationPath serves one path, and the other looks missing', async () => {
    const client = notificationsClient(souk)
    const statuses = async () => [
      (await client.send('GET', DESTINATIONS, 'grantless')).statusCode,
      (await client.send('GET', '/notifications/v1/destination', 'grantless')).statusCode,
    ]
    expect(await statuses()).toEqual([200, 200])
    await change({ destinationPath: 'plural' })
    expect(await statuses()).toEqual([200, 404])
    expect(errorOf(await souk.get('/notifications/v1/destination/x'))).toMatchObject({ status: 404, code: 'NotFound' })
    await change({ destinationPath: 'singular' })
    expect(await statuses()).toEqual([404, 200])
  })
})
