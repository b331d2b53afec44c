import type { EventBridgeSettings } from './event-bridge-messenger.ts'
import { openWhenNeeded } from './open-when-needed.ts'
import { AWS_LIMIT, type Messenger, type RequestLimit, type Target } from './port.ts'
import type { SqsSettings } from './sqs-messenger.ts'

export interface MessagingSettings {
  sqs: SqsSettings
  eventBridge: EventBridgeSettings | { file: string }
}

type Adapter<Kind extends Target['kind']> = {
  send(target: Extract<Target, { kind: Kind }>, ...rest: Rest): ReturnType<Messenger['send']>
  close(): void
}
type Rest = Parameters<Messenger['send']> extends [unknown, ...infer Others] ? Others : never

/** Queues that are reached without a request. */
export interface Queues extends Adapter<'sqs'> {
  limit: RequestLimit
}

/** Sends to all kinds of targets. The AWS clients are large, so each is loaded for the first message that needs it. */
export function createMessenger({
  sqs,
  eventBridge,
}: Omit<MessagingSettings, 'sqs'> & { sqs: SqsSettings | { queues: Queues } }): Messenger {
  const queues = openWhenNeeded(() => openQueues(sqs))
  const buses = openWhenNeeded(() => openBuses(eventBridge))
  return {
    limitOf: ({ kind }) => (kind === 'sqs' && 'queues' in sqs ? sqs.queues.limit : AWS_LIMIT),
    async send(target, messages) {
      if (target.kind === 'sqs') return (await queues.open()).send(target, messages)
      return (await buses.open()).send(target, messages)
    },
    close() {
      queues.close()
      buses.close()
    },
  }
}

async function openQueues(settings: SqsSettings | { queues: Queues }): Promise<Adapter<'sqs'>> {
  if ('queues' in settings) return settings.queues
  const { SqsMessenger } = await import('./sqs-messenger.ts')
  return new SqsMessenger(settings)
}

async function openBuses(settings: MessagingSettings['eventBridge']): Promise<Adapter<'eventBridge'>> {
  if ('file' in settings) {
    const { FileEventBus } = await import('./file-event-bus.ts')
    return new FileEventBus(settings.file)
  }
  const { EventBridgeMessenger } = await import('./event-bridge-messenger.ts')
  return new EventBridgeMessenger(settings)
}
