import type { Target } from '../../platform/messaging/port.ts'
import { type Accounts, dateOf } from './accounts.ts'
import { derivedSubscriptionId } from './derived.ts'
import type { StoredDestination, StoredSubscription } from './ports.ts'
import type { Reading } from './reading.ts'
import type { Seed } from './schema.ts'

export interface Notifications {
  destinations: StoredDestination[]
  subscriptions: StoredSubscription[]
}

const destinationKey = (key: { applicationId: string; destinationId: string }) =>
  `${key.applicationId} ${key.destinationId}`

export function readNotifications(reading: Reading, { applications, authorizations }: Accounts): Notifications {
  const { destinations: seeds = [], subscriptions = [] } = reading.seed
  const applicationIds = new Set(applications.map(({ applicationId }) => applicationId))
  const destinations = seeds.map((seed, index) => {
    const path = `destinations[${index}]`
    if (!applicationIds.has(seed.applicationId)) {
      reading.refuse(`${path}.applicationId`, `there is no application ${seed.applicationId}; add it to applications`)
    }
    return readDestination(reading, seed, path)
  })
  refuseSharedQueues(reading, applications, destinations)
  const byKey = new Map(destinations.map((one) => [destinationKey(one), one]))
  const authorized = new Set(authorizations.map(({ sellerId, applicationId }) => `${sellerId} ${applicationId}`))
  return {
    destinations,
    subscriptions: subscriptions.map((seed, index) => {
      const path = `subscriptions[${index}]`
      const { sellerId, applicationId } = seed
      if (!authorized.has(`${sellerId} ${applicationId}`)) {
        reading.refuse(`${path}.sellerId`, `seller ${sellerId} has not authorized application ${applicationId}`)
      }
      const subscription = readSubscription(reading, seed, path)
      const destination = byKey.get(destinationKey(subscription))
      const violation = reading.rules.findSubscriptionViolation(subscription, destination)
      if (violation) reading.refuse(`${path}.${violation.path}`, violation.reason)
      return subscription
    }),
  }
}

type SeedDestination = NonNullable<Seed['destinations']>[number]

function readDestination(reading: Reading, seed: SeedDestination, path: string): StoredDestination {
  const { applicationId, destinationId, name = destinationId, sqs, eventBridge, createdAt } = seed
  if ((sqs === undefined) === (eventBridge === undefined)) {
    reading.refuse(path, 'must have either sqs or eventBridge')
  }
  const target: Target = eventBridge
    ? { kind: 'eventBridge', accountId: eventBridge.accountId, region: eventBridge.region }
    : { kind: 'sqs', arn: sqs?.arn ?? '' }
  reading.claim('destination', [applicationId, destinationId], path)
  const place = target.kind === 'sqs' ? target.arn : target.accountId
  reading.claim('target', [applicationId, target.kind, place], `${path}.${target.kind}`)
  const at = createdAt === undefined ? reading.now : dateOf(createdAt)
  return { applicationId, destinationId, name, target, createdAt: at }
}

/** A queue belongs to one application. */
function refuseSharedQueues(
  reading: Reading,
  applications: Accounts['applications'],
  destinations: readonly StoredDestination[],
): void {
  const owners = new Map<string, string>()
  const own = (arn: string, applicationId: string, path: string) => {
    const owner = owners.get(arn) ?? applicationId
    owners.set(arn, owner)
    if (owner !== applicationId) reading.refuse(path, `the queue belongs to application ${owner}`)
  }
  for (const [index, { applicationId, target }] of destinations.entries()) {
    if (target.kind === 'sqs') own(target.arn, applicationId, `destinations[${index}].sqs.arn`)
  }
  for (const [index, { applicationId, secretQueues = {} }] of applications.entries()) {
    for (const [name, arn] of Object.entries(secretQueues)) {
      own(arn, applicationId, `applications[${index}].secretQueues.${name}`)
    }
  }
}

type SeedSubscription = NonNullable<Seed['subscriptions']>[number]

function readSubscription(reading: Reading, seed: SeedSubscription, path: string): StoredSubscription {
  const { sellerId, applicationId, notificationType, payloadVersion = '1.0', createdAt, processingDirective } = seed
  const key = [sellerId, applicationId, notificationType, payloadVersion]
  const subscriptionId = seed.subscriptionId ?? derivedSubscriptionId(...key)
  reading.claim('subscription', key, path)
  reading.claim('subscriptionId', [applicationId, subscriptionId], `${path}.subscriptionId`)
  return {
    sellerId,
    applicationId,
    notificationType,
    payloadVersion,
    subscriptionId,
    destinationId: seed.destinationId,
    ...(processingDirective && { processingDirective }),
    createdAt: createdAt === undefined ? reading.now : dateOf(createdAt),
  }
}
