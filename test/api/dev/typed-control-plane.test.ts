import { CreateQueueCommand, SendMessageCommand } from '@aws-sdk/client-sqs'
import { describe, expect, test } from 'vitest'
import { ActError } from '../../../src/index.ts'
import { testDialect } from '../../support/databases.ts'
import { sqsClient } from '../../support/queue-client.ts'
import { startTestSouk } from '../../support/souk.ts'

const onSqlite = test.skipIf(testDialect === 'postgres')

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
    expect(await souk.forks.list()).toEqual([{ id: '1', url, queueUrl, demo, applications }])
    await fork.stop()
    expect(await souk.forks.list()).toEqual([])
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
})
