import { QueueMessenger, type QueueMessengerDependencies } from '../dev/queue/queue-messenger.ts'
import { createMessenger, type MessagingSettings } from '../platform/messaging/messenger.ts'
import type { Messenger } from '../platform/messaging/port.ts'

/** Without settings for SQS, notifications go to the local queue. */
export type StandInMessaging = Partial<Pick<MessagingSettings, 'sqs'>> & Omit<MessagingSettings, 'sqs'>

export function createStandInMessenger(
  { sqs, eventBridge }: StandInMessaging,
  dependencies: QueueMessengerDependencies,
): Messenger {
  return createMessenger({ sqs: sqs ?? { queues: new QueueMessenger(dependencies) }, eventBridge })
}
