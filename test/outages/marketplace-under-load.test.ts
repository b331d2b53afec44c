import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openBusyMarketplace } from '../support/busy-marketplace.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { findRedisServer, startRedisServer } from '../support/redis-server.ts'

const FROZEN_SECONDS = 20
const DOWN_SECONDS = 60

/** Real seconds, because real deadlines and pauses must pass. */
const outageOf = (seconds: number) => sleep(seconds * 1000)

const redis = findRedisServer()

// One after the other on the same processes, none of which is restarted because of an outage.
test('under load through a balancer, no outage loses a write, an event or a job, or repeats an effect', {
  timeout: 600_000,
}, async ({ onTestFinished }) => {
  const postgres = await startPostgres()
  onTestFinished(() => postgres.stop())
  const quotas = redis ? await startRedisServer(redis) : undefined
  onTestFinished(() => quotas?.stop())
  const market = await openBusyMarketplace({
    databaseUrl: await postgres.createMigratedDatabase('busy'),
    env: quotas ? { SOUK_QUOTA_URL: quotas.url, SOUK_RATES: '1000000' } : {},
  })
  const { survive } = market

  const crash = await survive('PostgreSQL crashes and starts again', async () => {
    await postgres.crash()
    await outageOf(1)
    await postgres.restart()
  })
  expect(crash.unavailable).toBeGreaterThan(0)

  const freeze = await survive(`PostgreSQL hangs for ${FROZEN_SECONDS} s`, async () => {
    const frozen = await postgres.freeze()
    await outageOf(FROZEN_SECONDS)
    await frozen.resume()
  })
  expect(freeze.unavailable).toBeGreaterThan(0)

  if (quotas) {
    const without = await survive('the quota server is killed and starts again', async () => {
      await quotas.kill()
      await outageOf(1)
      await quotas.start()
    })
    expect(without.unavailable).toBe(0)
    const frozen = await survive('the quota server hangs', async () => {
      quotas.freeze()
      await outageOf(1)
      quotas.resume()
    })
    expect(frozen.unavailable).toBe(0)
  }

  const down = await survive(`S3 and SQS refuse connections for ${DOWN_SECONDS} s`, async () => {
    await Promise.all([market.s3.set('refusing'), market.sqs.set('refusing')])
    await outageOf(DOWN_SECONDS)
    await Promise.all([market.s3.set('passing'), market.sqs.set('passing')])
  })
  expect(down.unavailable).toBeGreaterThan(0)

  await market.close()
})
