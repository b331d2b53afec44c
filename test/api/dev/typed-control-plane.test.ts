import { CreateQueueCommand, SendMessageCommand } from '@aws-sdk/client-sqs'
import { describe, expect, test } from 'vitest'
import { actCommands, CTL_COMMANDS } from '../../../src/cli/ctl/commands.ts'
import { readControlOperations } from '../../../src/cli/ctl/operations.ts'
import { ActError } from '../../../src/index.ts'
import { testDialect } from '../../support/databases.ts'
import { eventBridge, notificationsClient } from '../../support/notifications.ts'
import { sqsClient } from '../../support/queue-client.ts'
import { startTestSouk } from '../../support/souk.ts'

const onSqlite = test.skipIf(testDialect === 'postgres')

const WEEK_MILLISECONDS = 7 * 24 * 60 * 60 * 1000

/** Where `startSouk()` has an operation of the control plane. Acts are found by their paths. */
const MEMBERS: Record<string, string | { none: string }> = {
  getControlPlaneDocument: { none: 'describes requests, which a caller of typed members does not send' },
  getSeedSchema: { none: 'is for editors of files; the type MarketplaceSeed is for code' },
  getClock: 'clock.now',
  advanceClock: 'clock.advance',
  advanceClockToNext: 'clock.next',
  listDue: 'clock.due',
  getEventBus: 'eventBus.list',
  listLocalQueues: 'queues.list',
  peekLocalQueue: 'queues.messages',
  getLife: 'life.status',
  startLife: 'life.start',
  stopLife: 'life.stop',
  getLocalAuthority: 'localAuthority',
  reset: 'reset',
  listSnapshots: 'snapshots.list',
  takeSnapshot: 'snapshot',
  restoreSnapshot: 'restore',
  deleteSnapshot: 'snapshots.delete',
  listForks: 'forks.list',
  createFork: 'fork',
  stopFork: 'forks.stop',
  exportMarketplace: 'export',
  importMarketplace: 'import',
  getReadings: 'readings.current',
  changeReadings: 'readings.change',
  listFaults: 'faults.list',
  addFault: 'faults.add',
  clearFaults: 'faults.clear',
  getFault: 'faults.get',
  switchFault: 'faults.disable',
  removeFault: 'faults.remove',
  listIncidents: 'incidents.list',
  endIncidents: 'incidents.stopAll',
  startIncident: 'incidents.start',
  endIncident: 'incidents.stop',
  getProgress: 'progress',
  listRequests: 'requests.list',
  clearRequests: 'requests.clear',
  streamRequests: 'requests.stream',
  exportRequests: 'requests.har',
  getRequest: 'requests.get',
  verifyRequests: 'verify',
  getOverview: 'overview',
}

const memberOf = ({ operationId, path }: { operationId: string; path: string }) =>
  MEMBERS[operationId] ?? /^\/_souk\/acts\/(.+)$/.exec(path)?.[1]?.replace('/', '.')

describe('every operation of the control plane', () => {
  const operations = readControlOperations()

  test('is a member of what startSouk returns', async () => {
    const souk = await startTestSouk({ demo: false })
    const missing = operations.filter((operation) => {
      const member = memberOf(operation)
      if (typeof member === 'object') return false
      const value = member
        ?.split('.')
        .reduce<unknown>((owner, name) => (owner as Record<string, unknown>)?.[name], souk)
      return typeof value !== 'function'
    })
    expect(missing.map(({ operationId }) => operationId)).toEqual([])
    const known = operations.map(({ operationId }) => operationId)
    expect(Object.keys(MEMBERS).filter((operationId) => !known.includes(operationId))).toEqual([])
  })

  test('is a command of souk ctl', () => {
    const commands = [...CTL_COMMANDS, ...actCommands(operations)]
    const called = new Set(
      commands.flatMap(({ operationId, followOperationId, assigns }) => [
        operationId,
        followOperationId,
        assigns?.readOperationId,
      ]),
    )
    expect(operations.map(({ operationId }) => operationId).filter((operationId) => !called.has(operationId))).toEqual(
      [],
    )
  })
})

describe('startSouk has what the control plane has', () => {
  onSqlite('snapshots are listed and deleted', async () => {
    const souk = await startTestSouk()
    await souk.snapshot('one')
    expect(await souk.snapshots.list()).toEqual([
      { name: 'one', time: '2026-06-01T12:00:00.000Z', version: expect.any(String) },
    ])
    await souk.snapshots.delete('one')
    expect(await souk.snapshots.list()).toEqual([])
    await expect(souk.snapshots.delete('one')).rejects.toThrow(ActError)
  })

  onSqlite('forks are listed with their addresses until they stop', async () => {
    const souk = await startTestSouk()
    const fork = await souk.fork()
    const { url, queueUrl, demo, applications } = fork
    expect(await souk.forks.list()).toEqual([
      { id: '1', url, queueUrl, demo, applications, operatorKey: demo.operatorKey },
    ])
    await fork.stop()
    expect(await souk.forks.list()).toEqual([])
  })

  onSqlite('a fork is stopped by its id', async () => {
    const souk = await startTestSouk()
    await souk.fork()
    const [fork] = await souk.forks.list()
    await souk.forks.stop(fork?.id ?? '')
    expect(await souk.forks.list()).toEqual([])
    await expect(souk.forks.stop(fork?.id ?? '')).rejects.toThrow(ActError)
  })

  test('queues and their messages are listed in pages, and stay as they are', async () => {
    const souk = await startTestSouk()
    const client = sqsClient(souk.queueUrl)
    const { QueueUrl } = await client.send(new CreateQueueCommand({ QueueName: 'orders' }))
    for (const MessageBody of ['first', 'second']) await client.send(new SendMessageCommand({ QueueUrl, MessageBody }))
    const { queues } = await souk.queues.list()
    expect(queues.find(({ name }) => name === 'orders')?.messages).toEqual({ visible: 2, inFlight: 0, delayed: 0 })
    const { messages, nextToken = '' } = await souk.queues.messages('orders', { pageSize: 1 })
    const rest = await souk.queues.messages('orders', { pageToken: nextToken })
    expect([...messages, ...rest.messages].map(({ body, receiveCount }) => [body, receiveCount])).toEqual([
      ['first', 0],
      ['second', 0],
    ])
    await expect(souk.queues.messages('other')).rejects.toThrow(ActError)
  })

  test('requests are exported as an HTTP Archive', async () => {
    const souk = await startTestSouk()
    await souk.get('/sellers/v1/account')
    await souk.get('/nothing')
    const { log } = await souk.requests.har({ status: 403 })
    expect(log).toMatchObject({ version: '1.2', entries: [{ request: { method: 'GET' }, response: { status: 403 } }] })
  })

  test('progress is reported until no work is due', async () => {
    const souk = await startTestSouk()
    await souk.life.start({ ordersPerDay: 0, competitors: 0 })
    souk.clock.advance(WEEK_MILLISECONDS)
    const updates = []
    for await (const update of souk.progress({ until: 'idle' })) updates.push(update)
    expect(updates[0]).toMatchObject({ event: 'progress', task: 'life', done: 0, total: expect.any(Number) })
    expect(updates.at(-1)).toMatchObject({ event: 'end', task: 'life' })
    expect(new Date((await souk.life.status()).until ?? 0)).toEqual(souk.clock.now())
  })

  test('progress ends with the marketplace, and has 100 readers at most', async () => {
    const souk = await startTestSouk({ demo: false })
    const loops = Array.from({ length: 100 }, () => souk.progress())
    expect(() => souk.progress()).toThrow(ActError)
    await loops.pop()?.return?.()
    const last = souk.progress()
    expect(() => souk.progress({ until: 'later' as 'idle' })).toThrow(ActError)
    const ended = Promise.all([...loops, last].map((loop) => loop.next()))
    await souk.stop()
    expect((await ended).every(({ done }) => done)).toBe(true)
  })

  test('the overview counts what there is', async () => {
    const souk = await startTestSouk()
    const { totals, sales, clock, activity } = await souk.overview()
    expect((await souk.get('/_souk/overview')).json()).toMatchObject({ totals, sales, clock })
    expect(totals.listings).toBeGreaterThan(0)
    expect(activity).toHaveLength(60)
  })

  test('events for EventBridge destinations are listed', async () => {
    const souk = await startTestSouk()
    const client = notificationsClient(souk)
    const type = 'LISTINGS_ITEM_ISSUES_CHANGE'
    const response = await client.test(type, await client.destination(eventBridge()), '1.0')
    expect(response.statusCode, response.body).toBe(200)
    await souk.idle()
    expect(await souk.eventBus.list({ limit: 1 })).toMatchObject([{ 'detail-type': type, detail: {} }])
    await expect(souk.eventBus.list({ limit: 0 })).rejects.toThrow(ActError)
  })
})
