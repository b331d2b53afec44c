import { afterAll, beforeAll, expect, test } from 'vitest'
import { EventBus } from '../support/event-bus.ts'
import { FaultyProxy, type Mode } from '../support/faulty-proxy.ts'
import { FlakyQueue } from '../support/flaky-queue.ts'
import { createNotificationMarketplace } from '../support/notified-marketplace.ts'
import { startProcesses } from '../support/service-processes.ts'
import { waitFor } from '../support/wait-for.ts'

const FAULTS: Mode[] = ['refusing', 'silent', 'dripping', 'resetting']
const QUEUE = 'healthy'

/** An event that arrived without a response is sent again, with the same id. */
const arrivedIds = () =>
  new Set(bus.events.map(({ Detail }) => JSON.parse(Detail).NotificationMetadata.NotificationId as string))

const queues = new FlakyQueue()
const bus = new EventBus()
let proxy: FaultyProxy
beforeAll(async () => {
  proxy = await new FaultyProxy(await bus.open()).open()
})
afterAll(async () => {
  await proxy.close()
  bus.close()
  await queues.close()
})

test('an event bus that fails in any way delays only its own notifications, and gets all of them afterward', async () => {
  const processes = await startProcesses({
    leaseSeconds: 30,
    env: {
      SOUK_SQS_ENDPOINT: await queues.open(),
      SOUK_EVENTBRIDGE_ENDPOINT: proxy.url,
      SOUK_AWS_CONNECT_TIMEOUT_SECONDS: '2',
      SOUK_AWS_TIMEOUT_SECONDS: '2',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
    },
  })
  const { serve, url } = await processes.startServe()
  const worker = processes.startWorker()
  await worker.waitFor(/worker started/)
  const marketplace = await createNotificationMarketplace(url, processes.env.SOUK_OPERATOR_KEY, QUEUE)
  const busId = await marketplace.addDestination({ eventBridge: { accountId: '210987654321', region: 'eu-west-1' } })

  for (const [index, mode] of FAULTS.entries()) {
    await proxy.set(mode)
    await marketplace.sendTestNotification('PRODUCT_TYPE_DEFINITIONS_CHANGE', busId)
    await marketplace.sell(url, index + 1, index + 1)
    await waitFor(
      () => queues.bodies(QUEUE).length,
      (count) => count === index + 1,
    )
    await worker.waitFor(new RegExp(`(delivery failed[^]*?){${index + 1}}`))
    await proxy.set('passing')
    await waitFor(
      () => arrivedIds().size,
      (count) => count === index + 1,
    )
  }
  for (const one of [serve, worker]) expect(await one.stop()).toMatchObject({ code: 0 })
})
