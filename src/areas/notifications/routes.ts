import { type App, callerOf, errorResponses, grantlessOf, type Routes, sellerOf } from '../../http/route.ts'
import type { DestinationOperations } from './destinations/destination-operations.ts'
import {
  CreateDestinationBody,
  CreateSubscriptionBody,
  DestinationParams,
  DestinationResponse,
  DestinationsResponse,
  Empty,
  SendTestNotificationBody,
  SubscriptionParams,
  SubscriptionQuery,
  SubscriptionResponse,
  SubscriptionsQuery,
  SubscriptionsResponse,
  TestNotificationResponse,
  TypeParams,
} from './schema.ts'
import type { SubscriptionOperations } from './subscriptions/subscription-operations.ts'

const PREFIX = '/notifications/v1'
const SUBSCRIPTIONS = `${PREFIX}/subscriptions`
const TYPE = `${SUBSCRIPTIONS}/:notificationType`
const tags = ['notifications']
const scope = 'sellingpartnerapi::notifications' as const
const rate = { perSecond: 1, burst: 5 } as const
const grantless = { access: { scope }, rate } as const
const seller = { access: { seller: true }, rate } as const
// Some clients come with a grantless token, some with a seller's.
const either = { access: { seller: true, scope }, rate } as const

export function createNotificationRoutes(
  destinations: DestinationOperations,
  subscriptions: SubscriptionOperations,
): Routes {
  return (app: App) => {
    addDestinationRoutes(app, destinations, `${PREFIX}/destinations`, false)
    // The specification's prose has the path in the singular.
    addDestinationRoutes(app, destinations, `${PREFIX}/destination`, true)
    addSubscriptionRoutes(app, subscriptions)
    addSubscriptionByIdRoutes(app, subscriptions)
  }
}

function addDestinationRoutes(app: App, operations: DestinationOperations, path: string, hide: boolean): void {
  app.post(
    path,
    {
      config: grantless,
      schema: {
        operationId: 'createDestination',
        summary: 'Register a queue or an event bus that is to receive notifications',
        tags,
        hide,
        body: CreateDestinationBody,
        response: { 200: DestinationResponse, ...errorResponses },
      },
    },
    async (request) => ({ payload: await operations.createDestination(grantlessOf(request), request.body) }),
  )

  app.get(
    path,
    {
      config: grantless,
      schema: {
        operationId: 'getDestinations',
        summary: 'All destinations of the application',
        tags,
        hide,
        response: { 200: DestinationsResponse, ...errorResponses },
      },
    },
    async (request) => ({ payload: await operations.getDestinations(grantlessOf(request)) }),
  )

  app.get(
    `${path}/:destinationId`,
    {
      config: grantless,
      schema: {
        operationId: 'getDestination',
        summary: 'One of the destinations of the application',
        tags,
        hide,
        params: DestinationParams,
        response: { 200: DestinationResponse, ...errorResponses },
      },
    },
    async (request) => ({
      payload: await operations.getDestination(grantlessOf(request), request.params.destinationId),
    }),
  )

  app.delete(
    `${path}/:destinationId`,
    {
      config: grantless,
      schema: {
        operationId: 'deleteDestination',
        summary: 'Remove a destination that has no subscriptions',
        tags,
        hide,
        params: DestinationParams,
        response: { 200: Empty, ...errorResponses },
      },
    },
    async (request) => {
      await operations.deleteDestination(grantlessOf(request), request.params.destinationId)
      return {}
    },
  )
}

function addSubscriptionRoutes(app: App, operations: SubscriptionOperations): void {
  app.get(
    SUBSCRIPTIONS,
    {
      config: seller,
      schema: {
        operationId: 'getSubscriptions',
        summary: "The application's subscriptions to a type of notification about the seller",
        tags,
        querystring: SubscriptionsQuery,
        response: { 200: SubscriptionsResponse, ...errorResponses },
      },
    },
    async (request) => ({ payload: await operations.getSubscriptions(sellerOf(request), request.query) }),
  )

  app.get(
    TYPE,
    {
      config: seller,
      schema: {
        operationId: 'getSubscription',
        summary: 'The subscription to a type of notification; of several versions the newest unless one is named',
        tags,
        params: TypeParams,
        querystring: SubscriptionQuery,
        response: { 200: SubscriptionResponse, ...errorResponses },
      },
    },
    async (request) => {
      const { notificationType } = request.params
      const { payloadVersion } = request.query
      return { payload: await operations.getSubscription(sellerOf(request), notificationType, payloadVersion) }
    },
  )

  app.post(
    TYPE,
    {
      config: seller,
      schema: {
        operationId: 'createSubscription',
        summary: 'Have notifications of a type about the seller delivered to a destination',
        tags,
        params: TypeParams,
        body: CreateSubscriptionBody,
        response: { 200: SubscriptionResponse, ...errorResponses },
      },
    },
    async (request) => {
      const { notificationType } = request.params
      return { payload: await operations.createSubscription(sellerOf(request), notificationType, request.body) }
    },
  )

  app.post(
    `${TYPE}/testNotification`,
    {
      config: grantless,
      schema: {
        operationId: 'sendTestNotification',
        summary: 'Send a made-up notification of a type to a destination',
        tags,
        params: TypeParams,
        body: SendTestNotificationBody,
        response: { 200: TestNotificationResponse, ...errorResponses },
      },
    },
    async (request) => {
      const { notificationType } = request.params
      await operations.sendTestNotification(grantlessOf(request), notificationType, request.body)
      return { payload: {} }
    },
  )
}

function addSubscriptionByIdRoutes(app: App, operations: SubscriptionOperations): void {
  app.get(
    `${TYPE}/:subscriptionId`,
    {
      config: either,
      schema: {
        operationId: 'getSubscriptionById',
        summary: 'One of the subscriptions',
        tags,
        params: SubscriptionParams,
        response: { 200: SubscriptionResponse, ...errorResponses },
      },
    },
    async (request) => {
      const { notificationType, subscriptionId } = request.params
      return { payload: await operations.getSubscriptionById(callerOf(request), notificationType, subscriptionId) }
    },
  )

  app.delete(
    `${TYPE}/:subscriptionId`,
    {
      config: either,
      schema: {
        operationId: 'deleteSubscriptionById',
        summary: 'End a subscription; what has not been delivered of it is dropped',
        tags,
        params: SubscriptionParams,
        response: { 200: Empty, ...errorResponses },
      },
    },
    async (request) => {
      const { notificationType, subscriptionId } = request.params
      await operations.deleteSubscriptionById(callerOf(request), notificationType, subscriptionId)
      return {}
    },
  )
}
