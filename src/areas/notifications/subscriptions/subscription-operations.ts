import { findFirstAuthorization } from '../../../marketplace/accounts/authorizations.ts'
import type { Caller, GrantlessCaller, SellerCaller } from '../../../platform/auth/caller.ts'
import type { Clock } from '../../../platform/clock/port.ts'
import type { Database, Reader } from '../../../platform/database/port.ts'
import { ApiError, type ApiErrorOptions, alreadyExists } from '../../../platform/errors/api-error.ts'
import { afterDoing } from '../../../platform/errors/explanation.ts'
import type { Ids } from '../../../platform/ids/port.ts'
import { decodePageToken, toPage } from '../../../platform/paging.ts'
import { insertUnsubscribedDelivery } from '../delivery/delivery-store.ts'
import { scheduleDestinations } from '../delivery/destination-lease-store.ts'
import { dropDeliveries } from '../delivery/drop-deliveries.ts'
import type { Destination } from '../destinations/destination.ts'
import { findDestination } from '../destinations/destination-store.ts'
import type { NotificationType } from '../notification-types.ts'
import { samplePayload } from '../samples/index.ts'
import type { CreateSubscriptionBody, SendTestNotificationBody, Subscription, SubscriptionsQuery } from '../schema.ts'
import { parseSubscription, requireTransport, requireType, requireVersion } from './parse-subscription.ts'
import {
  deleteSubscription,
  findOldestSubscriptionTime,
  findSubscription,
  findSubscriptionOf,
  insertSubscription,
  listSubscriptions,
  type Subscription as StoredSubscription,
  subscriptionIdsOf,
} from './subscription-store.ts'

export interface SubscriptionDependencies {
  database: Database
  clock: Clock
  ids: Ids
  wakeWorker(): void
}

export type SubscriptionOperations = ReturnType<typeof createSubscriptionOperations>

const DEFAULT_PAGE_SIZE = 30

export function createSubscriptionOperations({ database, clock, ids, wakeWorker }: SubscriptionDependencies) {
  let hasSubscribers = false

  return {
    /** Whether to wake the relay. May be true without need, and is never false if there is a subscription. */
    mayHaveSubscribers: () => hasSubscribers,

    /** Called at start and when the database was replaced. */
    async checkForSubscribers(): Promise<void> {
      hasSubscribers = (await database.read(findOldestSubscriptionTime)) !== undefined
    },

    async createSubscription(
      caller: SellerCaller,
      typeName: string,
      body: CreateSubscriptionBody,
    ): Promise<Subscription> {
      const { type, directive } = parseSubscription(typeName, body)
      const subscription: StoredSubscription = {
        sellerId: caller.sellerId,
        applicationId: await database.read((reader) => findOwner(reader, caller)),
        notificationType: type.name,
        payloadVersion: body.payloadVersion,
        subscriptionId: ids.next('subscription'),
        destinationId: body.destinationId,
        ...(directive && { directive }),
        createdAt: clock.now(),
      }
      await database.transact(async (tx) => {
        await requireDestination(tx, subscription.applicationId, body.destinationId, type)
        if (!(await insertSubscription(tx, subscription))) throw conflict(type, body.payloadVersion)
      })
      hasSubscribers = true
      // Starts the relay now, so that the first notification is not later than others.
      wakeWorker()
      return renderSubscription(subscription)
    },

    async getSubscription(
      caller: SellerCaller,
      typeName: string,
      payloadVersion: string | undefined,
    ): Promise<Subscription> {
      const type = requireType(typeName)
      if (payloadVersion !== undefined) requireVersion(type, payloadVersion, 'payloadVersion')
      const subject = subjectOf(caller, type)
      const found = await database.read((reader) => listSubscriptions(reader, subject))
      const versions = payloadVersion === undefined ? type.payloadVersions.toReversed() : [payloadVersion]
      for (const version of versions) {
        const subscription = found.find((one) => one.payloadVersion === version)
        if (subscription) return renderSubscription(subscription)
      }
      throw notFound(`The seller has no subscription to ${type.name}.`, {
        explain: afterDoing(`POST /notifications/v1/subscriptions/${type.name}`, {
          notificationType: type.name,
          subscribedVersions: found.map((one) => one.payloadVersion),
        }),
      })
    },

    async getSubscriptions(caller: SellerCaller, query: SubscriptionsQuery) {
      const { notificationTypes: names, payloadVersion, pageSize = DEFAULT_PAGE_SIZE, nextToken } = query
      const type = requireType(names[0] as string)
      if (payloadVersion !== undefined) requireVersion(type, payloadVersion, 'payloadVersion')
      const after = nextToken === undefined ? '' : decodePageToken(nextToken, 2).join(' ')
      const subject = subjectOf(caller, type)
      // At most one per payload version and application.
      const all = await database.read((reader) => listSubscriptions(reader, subject))
      const keyOf = (one: StoredSubscription) => [one.payloadVersion, one.applicationId]
      // Not in the order of the database, which may compare texts by the rules of a language.
      const wanted = all
        .map((one) => ({ one, key: keyOf(one).join(' ') }))
        .filter(({ one, key }) => key > after && (payloadVersion ?? one.payloadVersion) === one.payloadVersion)
        .sort((a, b) => (a.key < b.key ? -1 : 1))
        .map(({ one }) => one)
      const { items, ...next } = toPage(wanted, pageSize, keyOf)
      return { subscriptions: items.map(renderSubscription), ...next }
    },

    async getSubscriptionById(caller: Caller, typeName: string, subscriptionId: string): Promise<Subscription> {
      const type = requireType(typeName)
      return renderSubscription(
        await database.read((reader) => requireSubscription(reader, caller, type, subscriptionId)),
      )
    },

    async deleteSubscriptionById(caller: Caller, typeName: string, subscriptionId: string): Promise<void> {
      const type = requireType(typeName)
      const { applicationId } = await database.read((reader) =>
        requireSubscription(reader, caller, type, subscriptionId),
      )
      await dropDeliveries(database, { applicationId, subscriptionId })
      await database.transact(async (tx) => {
        await requireSubscription(tx, caller, type, subscriptionId)
        await deleteSubscription(tx, applicationId, subscriptionId)
      })
    },

    /** Called before an authorization and its subscriptions are deleted. */
    async dropDeliveriesOf(authorization: { sellerId: string; applicationId: string }): Promise<void> {
      const subscriptionIds = await database.read((reader) => subscriptionIdsOf(reader, authorization))
      const { applicationId } = authorization
      for (const subscriptionId of subscriptionIds) await dropDeliveries(database, { applicationId, subscriptionId })
    },

    async sendTestNotification(
      { applicationId }: GrantlessCaller,
      typeName: string,
      { destinationId, testNotification: { payloadVersion } }: SendTestNotificationBody,
    ): Promise<void> {
      const type = requireType(typeName)
      requireVersion(type, payloadVersion, 'testNotification.payloadVersion')
      const now = clock.now()
      const delivery = {
        applicationId,
        destinationId,
        deliveryId: ids.next('event'),
        eventId: ids.next('event'),
        notificationType: type.name,
        payloadVersion,
        dueAt: now,
        eventTime: now,
        payload: JSON.stringify(samplePayload(type.name, payloadVersion, now)),
      }
      await database.transact(async (tx) => {
        await requireDestination(tx, applicationId, destinationId, type)
        await insertUnsubscribedDelivery(tx, delivery)
        await scheduleDestinations(tx, [delivery])
      })
      wakeWorker()
    },
  }
}

/** Destinations of other applications are treated as missing. */
async function requireDestination(
  reader: Reader,
  applicationId: string,
  destinationId: string,
  type: NotificationType,
): Promise<Destination> {
  return requireTransport(await findDestination(reader, { applicationId, destinationId }), type)
}

/**
 * The console manages destinations for the application that the seller authorized first, so its subscriptions belong to
 * it.
 */
async function findOwner(reader: Reader, { sellerId, applicationId, isConsole }: SellerCaller): Promise<string> {
  if (!isConsole) return applicationId
  return (await findFirstAuthorization(reader, sellerId))?.applicationId ?? applicationId
}

/** The console of a seller sees the subscriptions of all applications for that seller. */
const subjectOf = ({ sellerId, applicationId, isConsole }: SellerCaller, { name }: NotificationType) => ({
  sellerId,
  notificationType: name,
  ...(!isConsole && { applicationId }),
})

/** A seller's token gives access to that seller's subscriptions, a grantless token to the application's. */
async function requireSubscription(
  reader: Reader,
  caller: Caller,
  type: NotificationType,
  subscriptionId: string,
): Promise<StoredSubscription> {
  const found =
    caller.kind === 'seller' && caller.isConsole
      ? await findSubscriptionOf(reader, caller.sellerId, subscriptionId)
      : await findSubscription(reader, caller.applicationId, subscriptionId)
  const isOwn = caller.kind === 'grantless' || caller.sellerId === found?.sellerId
  if (found && isOwn && found.notificationType === type.name) return found
  throw notFound(`There is no subscription ${subscriptionId} to ${type.name}.`, {
    missing: { kind: 'subscriptionId', id: subscriptionId, notificationType: type.name },
  })
}

const notFound = (details: string, options: ApiErrorOptions) =>
  new ApiError('NotFound', 'The subscription was not found.', details, options)

function conflict({ name }: NotificationType, payloadVersion: string): ApiError {
  const details = `The seller already has a subscription to ${name} with payload version ${payloadVersion}.`
  const facts = { notificationType: name, payloadVersion }
  return alreadyExists('The request conflicts with an existing subscription.', details, facts)
}

const renderSubscription = (subscription: StoredSubscription): Subscription => ({
  subscriptionId: subscription.subscriptionId,
  payloadVersion: subscription.payloadVersion,
  destinationId: subscription.destinationId,
  ...(subscription.directive && { processingDirective: subscription.directive }),
})
