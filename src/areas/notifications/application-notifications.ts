import type { Sealer } from '../../platform/auth/sealer.ts'
import type { Clock } from '../../platform/clock/port.ts'
import type { Transaction } from '../../platform/database/port.ts'
import type { Ids } from '../../platform/ids/port.ts'
import type { Target } from '../../platform/messaging/port.ts'
import { insertUnsubscribedDelivery } from './delivery/delivery-store.ts'
import { scheduleDestinations } from './delivery/destination-lease-store.ts'
import { sealPayload } from './delivery/sealed-payload.ts'
import type { Destination } from './destinations/destination.ts'
import { queueConflict } from './destinations/destination-operations.ts'
import { findDestinationsOfQueues, insertDestinations } from './destinations/destination-store.ts'
import { notificationTypes } from './notification-types.ts'

export interface ApplicationNotifierDependencies {
  clock: Clock
  ids: Ids
  sealer: Sealer
  wakeWorker(): void
  /** Creates the local queue of a new destination in `souk dev`. */
  prepareTarget(target: Target): Promise<void>
}

export interface ApplicationQueue {
  applicationId: string
  queueArn: string
}

const DESTINATION_NAME = 'Client secrets'

/** Notifications about applications themselves, to queues that the operator sets. */
export function createApplicationNotifier(dependencies: ApplicationNotifierDependencies) {
  const { clock, ids, sealer, wakeWorker, prepareTarget } = dependencies
  return {
    registerQueues,

    /** Called after the commit of `registerQueues`. */
    async prepareQueues(queues: readonly ApplicationQueue[]): Promise<void> {
      await Promise.all(queues.map(({ queueArn }) => prepareTarget({ kind: 'sqs', arn: queueArn })))
    },

    async notify(
      tx: Transaction,
      { type: name, payload, ...queue }: ApplicationQueue & { type: string; payload: object },
    ): Promise<void> {
      const type = notificationTypes.get(name)
      if (!type) throw new Error(`There is no notification type ${name}`)
      // Earlier versions let the application delete the destination.
      const [destination] = (await registerQueues(tx, [queue])) as [Destination]
      const { applicationId, destinationId } = destination
      const now = clock.now()
      const deliveryId = ids.next('event')
      const delivery = {
        applicationId,
        destinationId,
        deliveryId,
        eventId: ids.next('event'),
        notificationType: name,
        payloadVersion: type.payloadVersions[0],
        dueAt: now,
        eventTime: now,
        payload: sealPayload(sealer, deliveryId, payload),
      }
      await insertUnsubscribedDelivery(tx, delivery)
      await scheduleDestinations(tx, [delivery])
      tx.afterCommit(wakeWorker)
    },
  }

  /** Creates the destinations that do not exist. Returns the destination of each queue, in order. */
  async function registerQueues(tx: Transaction, queues: readonly ApplicationQueue[]): Promise<Destination[]> {
    const arns = [...new Set(queues.map(({ queueArn }) => queueArn))]
    const byArn = Map.groupBy(await findDestinationsOfQueues(tx, arns), arnOf)
    const added: Destination[] = []
    const registered = queues.map(({ applicationId, queueArn }) => {
      const sameQueue = byArn.get(queueArn) ?? []
      const own = sameQueue.find((destination) => destination.applicationId === applicationId)
      if (own) return own
      if (sameQueue.length > 0) throw queueConflict(queueArn)
      const target = { kind: 'sqs', arn: queueArn } as const
      const destination = { applicationId, destinationId: ids.next('destination'), name: DESTINATION_NAME, target }
      byArn.set(queueArn, [destination])
      added.push(destination)
      return destination
    })
    await insertDestinations(tx, added, clock.now())
    return registered
  }
}

const arnOf = ({ target }: Destination) => (target.kind === 'sqs' ? target.arn : '')
