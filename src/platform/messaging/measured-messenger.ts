import { Counter } from '../metrics/counter.ts'
import type { Metric } from '../metrics/port.ts'
import { TimedCalls } from '../metrics/timed.ts'
import type { Messenger } from './port.ts'

/** The same messenger, with the time that its requests take and the number of messages. */
export function measureMessenger(messenger: Messenger): { messenger: Messenger; metrics: readonly Metric[] } {
  const help = 'Time that requests to queues and event buses took, by kind of destination and result'
  const calls = new TimedCalls('souk_send_duration_seconds', help, 'destination')
  const messages = new Counter('souk_messages_total', 'Messages sent to destinations, by result', {
    label: 'result',
    values: ['accepted', 'rejected', 'failed'],
  })
  const measured: Messenger = {
    limitOf: (target) => messenger.limitOf(target),
    async send(target, sent) {
      try {
        const rejected = await calls.run(target.kind, () => messenger.send(target, sent))
        messages.add('accepted', sent.length - rejected.length)
        messages.add('rejected', rejected.length)
        return rejected
      } catch (error) {
        messages.add('failed', sent.length)
        throw error
      }
    },
    close: () => messenger.close(),
  }
  return { messenger: measured, metrics: [calls.metric, messages] }
}
