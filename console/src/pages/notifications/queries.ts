import { queryOptions, useQuery } from '@tanstack/react-query'
import { bodyOf, controlPlane, service } from '../../api/client.ts'
import { NOTIFICATION_TYPES } from '../../api/notification-types.ts'
import { useSession } from '../../api/session.ts'

const destinationsQuery = queryOptions({
  queryKey: ['destinations'],
  queryFn: async () => (await bodyOf(service.GET('/notifications/v1/destinations'))).payload,
})

/** Destinations belong to applications: `souk serve` refuses them to the session of a seller. */
export const useDestinations = () => useQuery({ ...destinationsQuery, enabled: useSession().hasControlPlane })

export type Destination = Awaited<ReturnType<NonNullable<(typeof destinationsQuery)['queryFn']>>>[number]

/** The kind of resource, and its name. */
export function describeDestination({ resource: { sqs, eventBridge } }: Pick<Destination, 'resource'>): string {
  if (sqs) return sqs.arn
  return eventBridge ? `${eventBridge.name} (${eventBridge.region})` : '–'
}

export const transportOf = ({ resource }: Pick<Destination, 'resource'>): 'sqs' | 'eventBridge' =>
  resource.sqs ? 'sqs' : 'eventBridge'

const subscriptionsTo = async (notificationType: string) => {
  const query = { notificationTypes: [notificationType] }
  const { payload } = await bodyOf(service.GET('/notifications/v1/subscriptions', { params: { query } }))
  return payload.subscriptions.map((subscription) => ({ ...subscription, notificationType }))
}

/** The operation lists the subscriptions to one type at a time. */
export const subscriptionsQuery = queryOptions({
  queryKey: ['subscriptions'],
  queryFn: async () => (await Promise.all(NOTIFICATION_TYPES.map(({ name }) => subscriptionsTo(name)))).flat(),
  staleTime: 10_000,
})

export type Subscription = Awaited<ReturnType<typeof subscriptionsTo>>[number]

export const queuesQuery = queryOptions({
  queryKey: ['localQueues'],
  queryFn: async () => (await bodyOf(controlPlane.GET('/_souk/queue'))).queues,
  refetchInterval: 3_000,
})

export const eventBusQuery = queryOptions({
  queryKey: ['eventBus'],
  queryFn: async () => (await bodyOf(controlPlane.GET('/_souk/eventBus'))).events,
  refetchInterval: 3_000,
})
