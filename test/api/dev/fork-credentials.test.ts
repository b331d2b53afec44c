import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Souk } from '../../../src/index.ts'
import { digest } from '../../../src/platform/auth/digest.ts'
import { afterFile } from '../../support/after-file.ts'
import { registerApplication } from '../../support/applications.ts'
import { testDialect } from '../../support/databases.ts'
import { TEST_TIME } from '../../support/postgres-server.ts'
import { buildSeller, putResources } from '../../support/seller-client.ts'
import { startTestSouk } from '../../support/souk.ts'

const DAY = 86_400_000
const inSevenDays = new Date(Date.parse(TEST_TIME) + 7 * DAY).toISOString()
const US = 'ATVPDKIKX0DER'
const hats = {
  sellers: [{ sellerId: 'A1HATSELLER', participations: [US] }],
  applications: [{ applicationId: 'hat-app', clientId: 'hat-client', authorizations: ['A1HATSELLER'] }],
}

interface Client {
  clientId: string
  clientSecret?: string
  refreshToken?: string
}

async function tokenStatus(url: string, { clientId, clientSecret = '', refreshToken = '' }: Client): Promise<number> {
  const fields = { client_id: clientId, client_secret: clientSecret, refresh_token: refreshToken }
  const body = new URLSearchParams({ grant_type: 'refresh_token', ...fields })
  return (await fetch(`${url}/auth/o2/token`, { method: 'POST', body })).status
}

function clientOf({ applications }: Pick<Souk, 'applications'>, applicationId: string | undefined): Client {
  const found = applications.find((one) => one.applicationId === applicationId)
  if (!found) throw new Error(`There is no application ${applicationId}.`)
  return { ...found, ...found.authorizations[0] }
}

async function rotate({ url, demo }: Souk): Promise<void> {
  const path = '/operator/v1/applications/hat-app/clientSecret'
  const headers = { authorization: `Bearer ${demo.operatorKey}` }
  expect((await fetch(`${url}${path}`, { method: 'POST', headers })).status).toBe(200)
}

/** All credentials that the list of forks has for its newest one must be valid, and there must be some. */
async function validFork(parent: Souk) {
  const fork = (await parent.forks.list()).at(-1)
  if (!fork) throw new Error('There is no fork.')
  const { url, demo, applications, operatorKey } = fork
  const clients: Client[] = applications.flatMap(({ authorizations, ...application }) =>
    authorizations.map(({ refreshToken }) => ({ ...application, ...(refreshToken && { refreshToken }) })),
  )
  if (demo) clients.push(demo, { ...demo, refreshToken: demo.otherSeller.refreshToken })
  expect(clients.length).toBeGreaterThan(0)
  for (const client of clients) expect(await tokenStatus(url, client)).toBe(200)
  const headers = { authorization: `Bearer ${operatorKey}` }
  expect((await fetch(`${url}/operator/v1/sellers`, { headers })).status).toBe(200)
  return fork
}

describe.skipIf(testDialect === 'postgres')('a fork returns credentials that are valid in it', () => {
  test('of the demo marketplace, also after a reset', async () => {
    const souk = await startTestSouk()
    await using fork = await souk.fork()
    const before = await validFork(souk)
    expect(before.demo).toEqual(fork.demo)
    await fork.reset()
    expect(await validFork(souk)).toEqual(before)
  })

  test('of many authorizations, and meanwhile its parent responds', async () => {
    const sellers = Array.from({ length: 3_000 }, (_, index) => ({ sellerId: `A${index}`, participations: [US] }))
    const authorizations = sellers.map(({ sellerId }) => sellerId)
    const souk = await startTestSouk()
    await souk.import({ sellers, applications: [{ ...hats.applications[0], authorizations }] } as never)
    await using _fork = await souk.fork()
    let isListed = false
    const listed = souk.forks.list().then(([fork]) => {
      isListed = true
      return fork?.applications[0]?.authorizations
    })
    await (await fetch(`${souk.url}/healthz`)).text()
    expect(isListed).toBe(false)
    expect(await listed).toHaveLength(3_000)
  })

  test('of an import of an export, of a snapshot of it, and of a fork of it, also after a reset', async () => {
    const souk = await startTestSouk()
    await souk.import(await souk.export())
    await souk.snapshot('imported')
    for (const [parent, options] of [[souk], [souk, { snapshot: 'imported' }], [await souk.fork()]] as const) {
      await using fork = await parent.fork(options)
      const before = await validFork(parent)
      expect(before.demo).toEqual(fork.demo)
      expect(await tokenStatus(fork.url, parent.demo)).toBe(401)
      await fork.reset()
      expect(await validFork(parent)).toEqual(before)
    }
  })

  test('of a seed that has digests only, also after a reset', async () => {
    const seeded = await startTestSouk({ demo: false, seed: hats })
    const souk = await startTestSouk({ demo: false, seed: await seeded.export() })
    await using fork = await souk.fork()
    const before = await validFork(souk)
    expect(before.demo).toBeUndefined()
    expect(before.applications).toMatchObject([{ applicationId: 'hat-app', clientId: 'hat-client' }])
    for (let times = 0; times < 2; times++) {
      await fork.reset()
      expect(await validFork(souk)).toEqual(before)
    }
  })

  test('of an import with secrets, and of the demo marketplace once a reset returned to it', async () => {
    const souk = await startTestSouk()
    const applications = await souk.import(hats)
    await using fork = await souk.fork()
    expect(await validFork(souk)).toMatchObject({ applications })
    expect(await validFork(souk)).not.toHaveProperty('demo')
    await fork.reset()
    expect(await validFork(souk)).toMatchObject({ demo: fork.demo })
  })

  test('of a client secret that has expired in its parent', async () => {
    const souk = await startTestSouk()
    const seed = await souk.export()
    const applications = seed.applications?.map((one) => ({ ...one, clientSecretExpiresAt: '2026-01-02T00:00:00Z' }))
    await souk.import({ ...seed, applications: applications ?? [] })
    await using _fork = await souk.fork()
    await validFork(souk)
  })

  test('of the previous client secret, if the current one has expired, and none once both have', async () => {
    const seeded = await startTestSouk({ demo: false, seed: hats })
    const seed = await seeded.export()
    const applications = seed.applications?.map(({ clientSecretDigest = '', ...one }) => ({
      ...one,
      clientSecretDigest: digest('new'),
      clientSecretExpiresAt: '2026-01-02T00:00:00Z',
      previousClientSecret: { digest: clientSecretDigest, endsAt: inSevenDays },
    }))
    const souk = await startTestSouk({ demo: false, seed: { ...seed, applications: applications ?? [] } })
    await using fork = await souk.fork()
    await validFork(souk)
    expect(await tokenStatus(fork.url, clientOf(seeded, 'hat-app'))).toBe(200)
    await fork.clock.advance(8 * DAY)
    expect((await souk.forks.list())[0]?.applications[0]).not.toHaveProperty('clientSecret')
  })

  test('and none that has expired in it', async () => {
    const applications = hats.applications.map((one) => ({ ...one, clientSecretExpiresAt: inSevenDays }))
    const souk = await startTestSouk({ demo: false, seed: { ...hats, applications } })
    await using fork = await souk.fork()
    expect((await validFork(souk)).applications[0]).toHaveProperty('clientSecret')
    await fork.clock.advance(8 * DAY)
    expect((await souk.forks.list())[0]?.applications[0]).not.toHaveProperty('clientSecret')
  })

  test('and keeps those that the operator has created, in the demo marketplace and in that of a seed', async () => {
    for (const options of [{}, { demo: false, seed: hats }]) {
      const souk = await startTestSouk(options)
      await putResources(souk, 'sellers', [buildSeller('A2HATSELLER', [US])])
      const app = await registerApplication(souk, 'app', { sellerIds: ['A2HATSELLER'] })
      const held = { ...app, refreshToken: app.refreshTokenOf('A2HATSELLER') }
      const { applicationId } = souk.applications[0] ?? {}
      const other = [{ applicationId, sellerId: 'A2HATSELLER' }]
      const [{ refreshToken }] = await putResources(souk, 'authorizations', other)
      await using fork = await souk.fork()
      await validFork(souk)
      await using forkOfFork = await fork.fork()
      for (const one of [fork, forkOfFork]) {
        expect(await tokenStatus(one.url, held)).toBe(200)
        expect(await tokenStatus(one.url, { ...clientOf(one, applicationId), refreshToken })).toBe(200)
      }
      expect(await tokenStatus(souk.url, clientOf(fork, 'app'))).toBe(401)
    }
  })

  test('and keeps those of an import of an earlier process', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'souk-forks-'))
    afterFile(() => rmSync(folder, { recursive: true }))
    const kept = { database: join(folder, 'souk.db'), snapshots: join(folder, 'snapshots') }
    const first = await startTestSouk(kept)
    const [application] = await first.import(hats)
    await first.snapshot('hats')
    await first.stop()
    const souk = await startTestSouk(kept)
    for (const options of [{}, { snapshot: 'hats' }]) {
      await using fork = await souk.fork(options)
      await validFork(souk)
      const { authorizations, ...client } = application as NonNullable<typeof application>
      expect(await tokenStatus(fork.url, { ...client, ...authorizations[0] })).toBe(200)
    }
  })

  test('which end with the secret that they stand for', async () => {
    const souk = await startTestSouk({ seed: hats, demo: false })
    await rotate(souk)
    await using fork = await souk.fork()
    const [old, own] = [clientOf(souk, 'hat-app'), clientOf(fork, 'hat-app')]
    expect(own.clientSecret).not.toBe(old.clientSecret)
    expect([await tokenStatus(fork.url, old), await tokenStatus(fork.url, own)]).toEqual([200, 200])
    await fork.clock.advance(8 * DAY)
    expect([await tokenStatus(fork.url, old), await tokenStatus(fork.url, own)]).toEqual([401, 200])
    await rotate(fork)
    expect(await tokenStatus(fork.url, own)).toBe(200)
    await fork.clock.advance(8 * DAY)
    expect(await tokenStatus(fork.url, own)).toBe(401)
  })
})
