import type { Reader, Transaction } from '../../platform/database/port.ts'
import { ApiError, toViolation, type Violation } from '../../platform/errors/api-error.ts'
import type { PageRequest } from '../../platform/paging.ts'
import { createSchemaCheck } from '../../platform/schema-check.ts'
import type { Destination } from './destinations/destination.ts'
import { listAllDestinations, writeDestinations } from './destinations/destination-store.ts'
import { ProcessingDirective } from './schema.ts'
import { parseSubscription, requireTransport } from './subscriptions/parse-subscription.ts'
import { listAllSubscriptions, writeSubscriptions } from './subscriptions/subscription-store.ts'

export interface DestinationSeed extends Destination {
  createdAt: Date
}

export interface SubscriptionSeed {
  sellerId: string
  applicationId: string
  notificationType: string
  payloadVersion: string
  subscriptionId: string
  destinationId: string
  processingDirective?: unknown
  createdAt: Date
}

const isDirective = createSchemaCheck(ProcessingDirective)

/** Destinations and subscriptions as a whole, which the stand-in reads and writes beside the API. */
export const notificationSeeds = {
  /** Returns why a subscription cannot be like this. The path is relative to it. */
  findViolation(subscription: SubscriptionSeed, destination: Destination | undefined): Violation | undefined {
    const { processingDirective = null } = subscription
    if (processingDirective !== null && !isDirective(processingDirective)) {
      return { path: 'processingDirective', reason: 'is not a processing directive of createSubscription' }
    }
    try {
      requireTransport(destination, parse(subscription).type)
      return undefined
    } catch (error) {
      if (error instanceof ApiError) return toViolation(error)
      throw error
    }
  },

  async write(
    tx: Transaction,
    destinations: readonly DestinationSeed[],
    subscriptions: readonly SubscriptionSeed[],
  ): Promise<void> {
    await writeDestinations(tx, destinations)
    await writeSubscriptions(
      tx,
      subscriptions.map(({ processingDirective: _, ...subscription }, index) => {
        const { type, directive } = parse(subscriptions[index] as SubscriptionSeed)
        return { ...subscription, notificationType: type.name, ...(directive && { directive }) }
      }),
    )
  },

  listDestinations: (reader: Reader, page: PageRequest): Promise<DestinationSeed[]> =>
    listAllDestinations(reader, page),

  async listSubscriptions(reader: Reader, page: PageRequest): Promise<SubscriptionSeed[]> {
    return (await listAllSubscriptions(reader, page)).map(({ directive, ...subscription }) => ({
      ...subscription,
      ...(directive && { processingDirective: directive }),
    }))
  },
}

const parse = ({ notificationType, payloadVersion, processingDirective }: SubscriptionSeed) =>
  parseSubscription(notificationType, {
    payloadVersion,
    processingDirective: processingDirective as ProcessingDirective | undefined,
  })
