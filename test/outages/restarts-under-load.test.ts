import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { LEASE_SECONDS, openBusyMarketplace } from '../support/busy-marketplace.ts'
import { createPostgresDatabase } from '../support/databases.ts'

/** Longer than the lease, so that other processes take over. Real seconds: real leases must end. */
const FROZEN_SECONDS = LEASE_SECONDS + 4

test('under load through a balancer, processes that are replaced, killed or suspended lose nothing and repeat no effect', {
  timeout: 600_000,
}, async () => {
  const market = await openBusyMarketplace({
    databaseUrl: await createPostgresDatabase('schema'),
    env: { SOUK_DRAIN_SECONDS: '3' },
  })
  const { serving, working, balancer, survive, addServe, addWorker } = market

  const replaced = await survive('every process is replaced, one after the other', async () => {
    for (const { worker } of [...working]) {
      working.shift()
      expect(await worker.stop()).toMatchObject({ code: 0, stderr: '' })
      await addWorker()
    }
    for (const { serve, url } of [...serving]) {
      serving.shift()
      expect(await serve.stop()).toMatchObject({ code: 0, stderr: '' })
      balancer.remove(url)
      await addServe()
    }
  })
  expect(replaced.unavailable).toBe(0)

  const [killed] = serving as [(typeof serving)[number]]
  const kill = async () => {
    serving.shift()
    await killed.serve.stop('SIGKILL')
  }
  await survive('souk serve is killed', kill, { mayCutResponses: true })
  balancer.remove(killed.url)
  await addServe()

  await survive('souk worker is killed', async () => {
    await working.shift()?.worker.stop('SIGKILL')
  })
  await addWorker()

  for (const [index, { worker }] of working.entries()) {
    await survive(`souk worker ${index + 1} is suspended for longer than its lease`, async () => {
      worker.signal('SIGSTOP')
      await sleep(FROZEN_SECONDS * 1000)
      worker.signal('SIGCONT')
    })
  }

  await market.close()
})
