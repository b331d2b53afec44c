import { expect, test } from 'vitest'
import { ManualClock } from '../../platform/clock/manual-clock.ts'
import type { Message, Messenger, Target } from '../../platform/messaging/port.ts'
import { withMessageFaults } from './message-faults.ts'
import { FaultRules } from './rules.ts'

const queue = (name: string): Target => ({ kind: 'sqs', arn: `arn:aws:sqs:us-east-1:000000000000:${name}` })

test('each queue and seller has the first of two notifications delayed, whatever comes between them', async () => {
  const clock = new ManualClock(new Date('2026-06-01T12:00:00Z'))
  const rules = new FaultRules(clock)
  rules.add({ action: { kind: 'reorder' } })
  const sent: string[] = []
  const messenger: Messenger = {
    limitOf: () => ({}) as never,
    close() {},
    async send(_target, messages) {
      sent.push(...messages.map(({ id }) => id))
      return []
    },
  }
  const faulty = withMessageFaults(messenger, rules, clock)
  const send = (name: string, sellerId: string, id: string) =>
    faulty.send(queue(name), [
      { id, type: 'ORDER_CHANGE', origin: { applicationId: 'app', destinationId: name, sellerId } } as Message,
    ])
  for (const round of ['first', 'second']) {
    await send('one', 'A1', `${round} of A1 to one`)
    await send('two', 'A1', `${round} of A1 to two`)
    await send('one', 'A2', `${round} of A2 to one`)
  }
  expect(sent).toEqual(['second of A1 to one', 'second of A1 to two', 'second of A2 to one'])
})
