import type { onRequestHookHandler } from 'fastify'
import { type App, callerOf, errorResponses, grantlessOf, type Routes, sellerOf } from '../../http/route.ts'
import { ApiError } from '../../platform/errors/api-error.ts'
import type { Readings } from '../../platform/readings.ts'
import type { NotificationConsoleOperations } from './console/operations.ts'
import { createNotificationConsoleRoutes } from './console/routes.ts'
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
const OTHER_PATH = { destination: 'destinations', destinations: 'destination' }
const SUBSCRIPTIONS = `${PREFIX}/subscriptions`
const TYPE = `${SUBSCRIPTIONS}/:notificationType`
const tags = ['notifications']
const scope = 'sellingpartnerapi::notifications' as const
const rate = { perSecond: 1, burst: 5 } as const
const grantless = { access: { scope }, rate } as const
const seller = { access: { seller: true }, rate } as const
// Some clients send a grantless token, some a seller's token.
const either = { access: { seller: true, scope }, rate } as const

export function createNotificationRoutes(
  destinations: DestinationOperations,
  subscriptions: SubscriptionOperations,
  readings: Pick<Readings, 'destinationPath'>,
  console: NotificationConsoleOperations,
): Routes {
  return (app: App) => {
    addDestinationRoutes(app, destinations, { path: `${PREFIX}/destinations`, onRequest: requireReading('plural') })
    // The prose of the specification has the path in the singular.
    addDestinationRoutes(app, destinations, {
      path: `${PREFIX}/destination`,
      hide: true,
      onRequest: requireReading('singular'),
    })
    addSubscriptionRoutes(app, subscriptions)
    addSubscriptionByIdRoutes(app, subscriptions)
    createNotificationConsoleRoutes(console)(app)
  }

  /** Has the other path look missing, also to clients without a token. */
  function requireReading(form: Exclude<Readings['destinationPath'], 'both'>): onRequestHookHandler {
    return (request, _reply, done) => {
      if (readings.destinationPath === 'both' || readings.destinationPath === form) return done()
      const details = `With the reading destinationPath=${readings.destinationPath}, destinations have the other path.`
      const explain = () => ({
        facts: { destinationPath: readings.destinationPath },
        change: { replace: OTHER_PATH },
      })
      done(new ApiError('NotFound', `No operation at ${request.routeOptions.url}.`, details, { explain }))
    }
  }
}

interface DestinationPath {
  path: string
  hide?: boolean
  onRequest: onRequestHookHandler
}

function addDestinationRoutes(
  app: App,
  operations: DestinationOperations,
  { path, hide = false, onRequest }: DestinationPath,
): void {
  app.post(
    path,
    {
      config: grantless,
      onRequest,
      schema: {
        operationId: 'createDestination',
        summary: 'Create a destination for notifications',
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
      onRequest,
      schema: {
        operationId: 'getDestinations',
        summary: 'List destinations',
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
      onRequest,
      schema: {
        operationId: 'getDestination',
        summary: 'Get a destination',
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
      onRequest,
      schema: {
        operationId: 'deleteDestination',
        summary: 'Delete a destination without subscriptions',
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
        summary: 'List subscriptions to a notification type',
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
        summary: 'Get the subscription to a notification type',
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
        summary: 'Create a subscription to a notification type',
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
        summary: 'Send a test notification',
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
        summary: 'Get a subscription by id',
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
        summary: 'Delete a subscription and its pending deliveries',
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
