import { BoundedMap } from '../../platform/bounded-map.ts'
import type { Clock } from '../../platform/clock/port.ts'
import type { FailedMessage, Message, Messenger, Target } from '../../platform/messaging/port.ts'
import { MESSAGE_OPERATION } from './actions.ts'
import type { CallFacts } from './matching.ts'
import type { FaultAction, FaultRule } from './public.ts'
import type { FaultRules } from './rules.ts'

const REORDER_SECONDS = 60
const MAX_STREAMS = 10_000

const refusals = {
  AccessDenied:
    'AccessDenied: Access to the resource is denied: the policy of the queue does not allow to send messages.',
  NonExistentQueue: 'AWS.SimpleQueueService.NonExistentQueue: The specified queue does not exist.',
}

/** Lets rules hit the sending of notifications. */
export function withMessageFaults(messenger: Messenger, rules: FaultRules, clock: Clock): Messenger {
  /** Whether the last notification of a rule and a stream was delayed. */
  const wasDelayed = new BoundedMap<string, boolean>(MAX_STREAMS)

  return {
    limitOf: (target) => messenger.limitOf(target),
    close: () => messenger.close(),
    async send(target, messages) {
      if (!rules.isActive('message')) return messenger.send(target, messages)
      const failed: FailedMessage[] = []
      const sent: Message[] = []
      const copies: Message[][] = []
      for (const message of messages) {
        const rule = rules.isHeld(message.id) ? undefined : rules.decide('message', factsOf(target, message)).fault
        const action = rule?.action
        const seconds = rule && delayOf(rule, target, message)
        if (rule && seconds !== undefined) failed.push(postpone(message, rule, seconds))
        else if (action?.kind === 'refuse') failed.push(refuse(message, action))
        else if (action?.kind !== 'lose') sent.push(message)
        if (action?.kind === 'duplicate') addCopies(copies, message, action.copies)
      }
      if (sent.length > 0) failed.push(...(await messenger.send(target, sent)))
      // A queue takes no two messages with the same id in one request.
      for (const batch of copies) await messenger.send(target, batch).catch(() => {})
      return failed
    },
  }

  function postpone({ id }: Message, rule: FaultRule, seconds: number): FailedMessage {
    rules.hold(id, rule)
    const postponedUntil = new Date(clock.now().getTime() + seconds * 1000)
    return { id, reason: 'delayed by a fault rule', isPermanent: false, postponedUntil }
  }

  /**
   * The first of each two notifications that are reordered is delayed, in each stream of its own: others are in no
   * order with it.
   */
  function delayOf({ id, action }: FaultRule, target: Target, { type, origin }: Message): number | undefined {
    if (action.kind === 'delay') return action.seconds
    if (action.kind !== 'reorder') return undefined
    const stream = JSON.stringify([id, target, type, origin?.sellerId])
    const isDelayed = !wasDelayed.get(stream)
    wasDelayed.set(stream, isDelayed)
    return isDelayed ? (action.seconds ?? REORDER_SECONDS) : undefined
  }
}

const refuse = ({ id }: Message, { reason = 'AccessDenied' }: Extract<FaultAction, { kind: 'refuse' }>) => ({
  id,
  reason: refusals[reason],
  isPermanent: false,
})

function addCopies(batches: Message[][], message: Message, copies = 1): void {
  for (let index = 0; index < copies; index++) {
    batches[index] ??= []
    batches[index]?.push(message)
  }
}

const factsOf = (target: Target, { type, origin }: Message): CallFacts => ({
  operation: MESSAGE_OPERATION,
  sellerId: origin?.sellerId,
  applicationId: origin?.applicationId,
  queueArn: target.kind === 'sqs' ? target.arn : undefined,
  subjects: {
    notificationType: [type],
    ...(origin && { destinationId: [origin.destinationId] }),
  },
})
