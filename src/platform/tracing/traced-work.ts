import type { JobHandlers } from '../jobs/port.ts'
import type { Messenger } from '../messaging/port.ts'
import type { Tracer } from './port.ts'

/** The same handlers, with a trace for each run. */
export const traceJobs = (handlers: JobHandlers, tracer: Tracer): JobHandlers =>
  Object.fromEntries(
    Object.entries(handlers).map(([kind, handler]) => {
      const run: typeof handler.run = (payload, context) =>
        tracer.run(`job ${kind}`, { kind: 'internal', attributes: { 'souk.job.kind': kind } }, async () =>
          handler.run(payload, context),
        )
      return [kind, { ...handler, run }]
    }),
  )

/** The same messenger, with a span for each request. */
export const traceMessenger = (messenger: Messenger, tracer: Tracer): Messenger => ({
  limitOf: (target) => messenger.limitOf(target),
  send: (target, messages) =>
    tracer.run(
      `send ${target.kind}`,
      {
        kind: 'producer',
        attributes: {
          'messaging.system': target.kind === 'sqs' ? 'aws_sqs' : 'aws_eventbridge',
          'messaging.batch.message_count': messages.length,
        },
      },
      () => messenger.send(target, messages),
    ),
  close: () => messenger.close(),
})
