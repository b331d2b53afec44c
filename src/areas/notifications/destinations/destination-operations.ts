import { findApplication } from '../../../marketplace/accounts/applications.ts'
import type { GrantlessCaller } from '../../../platform/auth/caller.ts'
import type { Clock } from '../../../platform/clock/port.ts'
import type { Database, Reader } from '../../../platform/database/port.ts'
import { ApiError, alreadyExists, invalidParameter } from '../../../platform/errors/api-error.ts'
import { afterDoing, withFields, withoutFields } from '../../../platform/errors/explanation.ts'
import type { Ids } from '../../../platform/ids/port.ts'
import type { Target } from '../../../platform/messaging/port.ts'
import { dropDeliveries } from '../delivery/drop-deliveries.ts'
import type { CreateDestinationBody, Destination } from '../schema.ts'
import { eventSourceOf, type Destination as StoredDestination } from './destination.ts'
import {
  type DestinationKey,
  deleteDestination,
  findDestination,
  hasSubscriptions,
  insertDestination,
  isQueueOfOtherApplication,
  listDestinations,
} from './destination-store.ts'

export interface DestinationDependencies {
  database: Database
  clock: Clock
  ids: Ids
  /** Creates the local queue of a new destination in `souk dev`. */
  prepareTarget(target: Target): Promise<void>
}

export type DestinationOperations = ReturnType<typeof createDestinationOperations>

const MAX_DESTINATIONS = 1000
const EXAMPLE_ARN = 'arn:aws:sqs:eu-west-1:123456789012:example'

export function createDestinationOperations({ database, clock, ids, prepareTarget }: DestinationDependencies) {
  return {
    async createDestination({ applicationId }: GrantlessCaller, body: CreateDestinationBody): Promise<Destination> {
      const target = parseTarget(body.resourceSpecification)
      const destinationId = ids.next('destination')
      const destination: StoredDestination = { applicationId, destinationId, name: body.name, target }
      await database.transact(async (tx) => {
        const existing = await listDestinations(tx, applicationId)
        if (existing.length >= MAX_DESTINATIONS) {
          const details = `An application has at most ${MAX_DESTINATIONS} destinations.`
          throw new ApiError('InvalidInput', 'The application has too many destinations.', details, {
            explain: afterDoing('DELETE /notifications/v1/destinations/{destinationId} for one that is not needed', {
              destinations: existing.length,
              maximum: MAX_DESTINATIONS,
            }),
          })
        }
        await requireUnclaimedQueue(tx, applicationId, target)
        if (!(await insertDestination(tx, destination, clock.now()))) throw conflict(applicationId, target)
      })
      await prepareTarget(target)
      return renderDestination(destination)
    },

    async getDestinations({ applicationId }: GrantlessCaller): Promise<Destination[]> {
      return (await database.read((reader) => listDestinations(reader, applicationId))).map(renderDestination)
    },

    async getDestination({ applicationId }: GrantlessCaller, destinationId: string): Promise<Destination> {
      return renderDestination(
        await database.read((reader) => requireDestination(reader, applicationId, destinationId)),
      )
    },

    async deleteDestination({ applicationId }: GrantlessCaller, destinationId: string): Promise<void> {
      const key = { applicationId, destinationId }
      await database.read((reader) => requireUnused(reader, key))
      await dropDeliveries(database, key, (tx) => requireUnused(tx, key))
      await database.transact(async (tx) => {
        await requireUnused(tx, key)
        await deleteDestination(tx, key)
      })
    },
  }

  /** Throws if the destination cannot be deleted. */
  async function requireUnused(reader: Reader, key: DestinationKey): Promise<void> {
    const { applicationId, destinationId } = key
    const { target } = await requireDestination(reader, applicationId, destinationId)
    if (await hasSubscriptions(reader, key)) throw inUse('has subscriptions', DELETE_SUBSCRIPTIONS)
    if (await receivesSecrets(reader, applicationId, target)) throw inUse('receives client secrets', SET_QUEUES)
  }

  async function requireDestination(
    reader: Reader,
    applicationId: string,
    destinationId: string,
  ): Promise<StoredDestination> {
    const destination = await findDestination(reader, { applicationId, destinationId })
    if (destination) return destination
    const details = `The application has no destination ${destinationId}.`
    throw new ApiError('NotFound', 'The destination was not found.', details, {
      missing: { kind: 'destinationId', id: destinationId },
    })
  }
}

const DELETE_SUBSCRIPTIONS = 'DELETE /notifications/v1/subscriptions/{notificationType}/{subscriptionId} for each'
const SET_QUEUES = 'Have the operator set other secretQueues of the application'

const inUse = (reason: string, first: string) =>
  new ApiError('Unauthorized', 'The requested action is forbidden.', `Destination ${reason}`, {
    explain: afterDoing(first),
  })

/** Without its destination, another application could register the queue, and no secret could be sent to it. */
async function receivesSecrets(reader: Reader, applicationId: string, target: Target): Promise<boolean> {
  if (target.kind !== 'sqs') return false
  const { secretQueues = {} } = (await findApplication(reader, applicationId)) ?? {}
  return Object.values(secretQueues).includes(target.arn)
}

function parseTarget({ sqs, eventBridge }: CreateDestinationBody['resourceSpecification']): Target {
  if (sqs && eventBridge) {
    throw invalidParameter(
      'resourceSpecification',
      'must not have both sqs and eventBridge',
      withoutFields('resourceSpecification.eventBridge'),
    )
  }
  if (sqs) return { kind: 'sqs', arn: sqs.arn }
  if (eventBridge) return { kind: 'eventBridge', accountId: eventBridge.accountId, region: eventBridge.region }
  throw invalidParameter(
    'resourceSpecification',
    'must have sqs or eventBridge',
    withFields({ 'resourceSpecification.sqs': { arn: EXAMPLE_ARN } }),
  )
}

/**
 * A queue belongs to the application that registered it first; otherwise another application could send messages to
 * it. Event buses have no such limit, because the source of an event contains the application.
 */
async function requireUnclaimedQueue(reader: Reader, applicationId: string, target: Target): Promise<void> {
  if (target.kind !== 'sqs' || !(await isQueueOfOtherApplication(reader, applicationId, target.arn))) return
  throw queueConflict(target.arn)
}

/** Also for queues that the operator sets. */
export const queueConflict = (arn: string) =>
  new ApiError(
    'Conflict',
    'The request conflicts with an existing destination.',
    `The queue ${arn} is already registered by another application.`,
    {
      explain: () => ({
        facts: { arn },
        change: { replace: { [arn]: `${arn}-2` }, first: 'Create a queue of your own; its ARN here is an example.' },
      }),
    },
  )

function conflict(applicationId: string, target: Target): ApiError {
  const what = target.kind === 'sqs' ? target.arn : `the event bus of the account ${target.accountId}`
  const details = `The application ${applicationId} already has a destination for ${what}.`
  return alreadyExists('The request conflicts with an existing destination.', details, { applicationId, ...target })
}

export const renderDestination = ({ applicationId, destinationId, name, target }: StoredDestination): Destination => ({
  destinationId,
  name,
  resource: {
    sqs: target.kind === 'sqs' ? { arn: target.arn } : null,
    eventBridge:
      target.kind === 'eventBridge'
        ? { name: eventSourceOf(applicationId), accountId: target.accountId, region: target.region }
        : null,
    privateSqs: null,
  },
})
