import { beforeAll, describe, expect, test } from 'vitest'
import { buildSeller, DAY, HOUR, putResources, US } from '../../support/seller-client.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
beforeAll(async () => {
  souk = await startTestSouk()
})

const list = (query = '') => souk.get(`/operator/v1/audit${query}`, { headers: souk.operator })
const entries = async (query = '') => {
  const response = await list(query)
  expect(response.statusCode, response.body).toBe(200)
  return response.json().audit
}

describe('the audit log', () => {
  test('has each change of an operator, also a refused one, and no reads', async () => {
    await putResources(souk, 'sellers', [buildSeller('AAUDITED', [US])])
    souk.clock.advance(1000)
    const path = `/operator/v1/applications/${souk.demo.applicationId}/signingKey?secret=1`
    const refused = await souk.post(path, { headers: souk.operator, payload: { overlapSeconds: 'long' } })
    expect(refused.statusCode).toBe(400)
    await souk.get('/operator/v1/sellers', { headers: souk.operator })
    expect(await entries()).toEqual([
      {
        auditId: expect.any(String),
        occurredAt: souk.clock.now().toISOString(),
        actor: expect.stringMatching(/^key:[\w-]{8}$/),
        operation: expect.any(String),
        target: `/operator/v1/applications/${souk.demo.applicationId}/signingKey`,
        status: 400,
        requestId: refused.headers['x-amzn-requestid'],
      },
      expect.objectContaining({ operation: 'upsertSellers', target: '/operator/v1/sellers', status: 200 }),
    ])
  })

  test('has nothing of a caller without good credentials', async () => {
    const before = await entries()
    const headers = { authorization: 'Bearer wrong-operator-key' }
    expect(errorOf(await souk.put('/operator/v1/sellers', { headers, payload: { sellers: [] } })).status).toBe(403)
    expect(await entries()).toEqual(before)
    expect(errorOf(await souk.get('/operator/v1/audit')).status).toBe(403)
  })

  test('names the console', async () => {
    souk.clock.advance(1000)
    const payload = { sellers: [buildSeller('AAUDITED', [US])] }
    await souk.put('/operator/v1/sellers', { headers: { 'x-souk-console': '1' }, payload })
    expect((await entries('?pageSize=1'))[0]).toMatchObject({ actor: 'developer', operation: 'upsertSellers' })
  })

  test('names the key, whatever a client with a key says of itself, and the path without the host', async () => {
    souk.clock.advance(1000)
    const headers = { ...souk.operator, 'x-souk-seller': 'A1' }
    await souk.put('/operator/v1/sellers?x=y', { headers, payload: { sellers: [buildSeller('AAUDITED', [US])] } })
    expect((await entries('?pageSize=1'))[0]).toMatchObject({
      actor: expect.stringMatching(/^key:/),
      target: '/operator/v1/sellers',
    })
  })

  test('can be searched by actor, operation and time', async () => {
    const all = await entries()
    const actors = all.map(({ actor }: { actor: string }) => actor)
    expect(new Set(actors).size).toBe(2)
    expect(await entries('?actor=developer')).toEqual(
      all.filter(({ actor }: { actor: string }) => actor === 'developer'),
    )
    expect(await entries('?operation=upsertSellers&actor=developer')).toHaveLength(1)
    expect(await entries('?operation=another')).toEqual([])
    const [newest, ...older] = all
    expect(await entries(`?from=${newest.occurredAt}`)).toEqual([newest])
    expect(await entries(`?to=${newest.occurredAt}`)).toEqual(older)
    expect(errorOf(await list('?from=yesterday'))).toMatchObject({ status: 400, code: 'InvalidInput' })
  })

  test('has pages', async () => {
    const all = await entries()
    const seen: unknown[] = []
    let token = ''
    do {
      const page = (await list(`?pageSize=1${token && `&pageToken=${token}`}`)).json()
      seen.push(...page.audit)
      token = page.nextToken ?? ''
    } while (token)
    expect(seen).toEqual(all)
    expect(errorOf(await list('?pageToken=x')).status).toBe(400)
  })

  test('is deleted after a year', async () => {
    souk.clock.advance(366 * DAY)
    await expect
      .poll(() => {
        // A sweep that was running begins to wait only now.
        souk.clock.advance(HOUR)
        return entries()
      })
      .toEqual([])
  })
})
