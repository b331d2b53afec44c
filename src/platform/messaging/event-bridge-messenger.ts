import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { defaultDeadlines } from '../aws/deadlines.ts'
import { toUnavailableError } from '../aws/unavailable.ts'
import { withDeadline } from '../deadline.ts'
import type { AwsSettings } from './aws.ts'
import { type FailedMessage, type Message, type Target, unconfirmed } from './port.ts'
import { RegionClients } from './region-clients.ts'

export interface EventBridgeSettings extends AwsSettings {
  /** The name of the event bus in the receiver's account. */
  busName: string
}

type EventBridgeTarget = Extract<Target, { kind: 'eventBridge' }>

const PERMANENT_ERRORS = new Set(['MalformedDetail', 'InvalidArgument', 'InvalidAccountIdException'])

/** Event buses of Amazon EventBridge in the accounts of subscribers. */
export class EventBridgeMessenger {
  readonly #settings: EventBridgeSettings
  readonly #clients: RegionClients<EventBridgeClient>

  constructor(settings: EventBridgeSettings) {
    this.#settings = settings
    this.#clients = new RegionClients(settings, (common) => new EventBridgeClient(common))
  }

  async send({ accountId, region }: EventBridgeTarget, messages: readonly Message[]): Promise<FailedMessage[]> {
    const { busName, deadlines = defaultDeadlines } = this.#settings
    const command = new PutEventsCommand({
      Entries: messages.map(({ type, source, time, body }) => ({
        EventBusName: `arn:aws:events:${region}:${accountId}:event-bus/${busName}`,
        // Without the prefix aws.partner/ of partner event sources, which is reserved for AWS.
        Source: source,
        DetailType: type,
        Detail: body,
        Time: time,
      })),
    })
    const { Entries = [] } = await withDeadline(deadlines.callMilliseconds, (abortSignal) =>
      this.#clients.use(region, (client) => client.send(command, { abortSignal })),
    ).catch((error: unknown) => {
      throw toUnavailableError('EventBridge', error)
    })
    return messages.flatMap(({ id }, index) => {
      const { EventId, ErrorCode, ErrorMessage } = Entries[index] ?? {}
      if (ErrorCode === undefined) return EventId === undefined ? [unconfirmed(id, 'EventBridge')] : []
      return [{ id, reason: `${ErrorCode}: ${ErrorMessage}`, isPermanent: PERMANENT_ERRORS.has(ErrorCode) }]
    })
  }

  close(): void {
    this.#clients.close()
  }
}
