import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openBusyMarketplace } from '../support/busy-marketplace.ts'
import { createPostgresDatabase } from '../support/databases.ts'
import { FaultyProxy, type Mode } from '../support/faulty-proxy.ts'
import { waitFor } from '../support/wait-for.ts'

const MODES: readonly Mode[] = ['silent', 'dripping', 'resetting']
const DATABASE_MODES: readonly Mode[] = ['silent', 'resetting']
/** Longer than `SOUK_S3_TRANSFER_TIMEOUT_SECONDS` of this test. Real seconds: real deadlines must pass. */
const OUTAGE_SECONDS = 8

// One after the other on the same processes, none of which is restarted.
test('under load through a balancer, networks that swallow, delay or reset connections lose nothing', {
  timeout: 600_000,
}, async ({ onTestFinished }) => {
  const databaseUrl = await createPostgresDatabase('schema')
  const { port } = new URL(databaseUrl)
  const postgres = await new FaultyProxy(Number(port)).open()
  onTestFinished(() => postgres.close())
  const market = await openBusyMarketplace({
    databaseUrl: postgres.through(databaseUrl),
    inspectionUrl: databaseUrl,
    // Longer than any outage here may last: no process dies, so nothing has to wait until a lease ends.
    leaseSeconds: 60,
    // The default: a connection whose packets are lost must not be waited for any longer.
    env: { SOUK_DATABASE_CONNECT_TIMEOUT_SECONDS: '5' },
  })
  const { s3, sqs, eventBridge, survive, isRefused, close } = market

  let unavailable = 0
  for (const mode of MODES) {
    const stores = await survive(`S3, SQS and EventBridge are ${mode} for ${OUTAGE_SECONDS} s`, async () => {
      await Promise.all([s3, sqs, eventBridge].map((proxy) => proxy.set(mode)))
      await sleep(OUTAGE_SECONDS * 1000)
      await Promise.all([s3, sqs, eventBridge].map((proxy) => proxy.set('passing')))
    })
    unavailable += stores.unavailable
  }
  expect(unavailable).toBeGreaterThan(0)

  for (const mode of DATABASE_MODES) {
    await survive(`PostgreSQL is ${mode}`, async () => {
      await postgres.set(mode)
      await isRefused()
      await postgres.set('passing')
    })
  }

  await survive('all connections to PostgreSQL lose their packets', async () => {
    postgres.loseOpenConnections()
    await waitFor(
      () => postgres.givenUp,
      (count) => count > 0,
    )
  })

  await close()
})
