import { type Static, Type } from 'typebox'
import { MarketplaceId, Nullable, QueryList, QueueArn } from '../../marketplace/schema.ts'
import { EVENT_FILTER_TYPES } from './notification-types.ts'

const Id = Type.String({ minLength: 1, maxLength: 100 })
const Optional = <Schema extends Parameters<typeof Nullable>[0]>(schema: Schema) => Type.Optional(Nullable(schema))

const Queue = Type.Object({ arn: QueueArn })
const EventBus = Type.Object({
  accountId: Type.String({ pattern: '^\\d{12}$', examples: ['123456789012'], description: 'AWS account id' }),
  region: Type.String({
    pattern: '^[a-z]{2,3}(-[a-z]+)+-\\d{1,2}$',
    examples: ['eu-west-1'],
    description: 'AWS region',
  }),
})

export const CreateDestinationBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 256 }),
  resourceSpecification: Type.Object(
    { sqs: Optional(Queue), eventBridge: Optional(EventBus) },
    { description: 'Exactly one of the two' },
  ),
})
export type CreateDestinationBody = Static<typeof CreateDestinationBody>

export const DestinationParams = Type.Object({ destinationId: Type.String() })

export const Destination = Type.Object({
  destinationId: Type.String(),
  name: Type.String(),
  resource: Type.Object({
    sqs: Nullable(Type.Object({ arn: Type.String() })),
    eventBridge: Nullable(
      Type.Object({
        name: Type.String({ description: 'Assigned by the service' }),
        accountId: Type.String(),
        region: Type.String(),
      }),
    ),
    privateSqs: Type.Null(),
  }),
})
export type Destination = Static<typeof Destination>

export const DestinationResponse = Type.Object({ payload: Destination })
export const DestinationsResponse = Type.Object({ payload: Type.Array(Destination) })

export const AGGREGATION_PERIODS = ['FiveMinutes', 'TenMinutes'] as const
export const ORDER_CHANGE_TYPES = ['BuyerRequestedChange', 'DeliveryTipChange', 'OrderStatusChange'] as const
const MAX_VALUES = 50
const TrackingText = Type.Optional(Type.String({ minLength: 1, maxLength: 200 }))

export const EventFilter = Type.Object({
  eventFilterType: Type.Enum(['ANY_OFFER_CHANGE', ...EVENT_FILTER_TYPES]),
  aggregationSettings: Type.Optional(
    Type.Object(
      { aggregationTimePeriod: Type.Enum(AGGREGATION_PERIODS) },
      { description: 'Aggregates offer changes by ASIN' },
    ),
  ),
  marketplaceIds: Type.Optional(Type.Array(MarketplaceId, { maxItems: MAX_VALUES })),
  orderChangeTypes: Type.Optional(Type.Array(Type.Enum(ORDER_CHANGE_TYPES), { maxItems: MAX_VALUES })),
  trackingIdentifier: Type.Optional(
    Type.Object(
      {
        id: TrackingText,
        acsin: TrackingText,
        aftn: TrackingText,
        containerNumber: TrackingText,
        houseBillOfLadingNumber: TrackingText,
        carrierTracking: Type.Optional(
          Type.Object({ trackingNumber: Type.String({ minLength: 1, maxLength: 200 }), carrierCode: TrackingText }),
        ),
      },
      { description: 'Exactly one of these' },
    ),
  ),
})
export type EventFilter = Static<typeof EventFilter>

export const ProcessingDirective = Type.Object({
  eventFilter: Type.Optional(EventFilter),
  filterExpression: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 256,
      description: 'Evaluated over the payload. See [Filters](/docs/notifications#filters)',
    }),
  ),
})
export type ProcessingDirective = Static<typeof ProcessingDirective>

export const TypeParams = Type.Object({ notificationType: Type.String() })
export const SubscriptionParams = Type.Object({ notificationType: Type.String(), subscriptionId: Type.String() })
const PayloadVersion = Type.String({
  minLength: 1,
  maxLength: 50,
  description: 'See [Notifications](/docs/notifications)',
})

export const CreateSubscriptionBody = Type.Object({
  payloadVersion: PayloadVersion,
  destinationId: Id,
  processingDirective: Optional(ProcessingDirective),
})
export type CreateSubscriptionBody = Static<typeof CreateSubscriptionBody>

export const SubscriptionQuery = Type.Object({ payloadVersion: Type.Optional(PayloadVersion) })

export const SubscriptionsQuery = Type.Object({
  notificationTypes: QueryList(Type.String({ minLength: 1, maxLength: 100 }), { minItems: 1, maxItems: 1 }),
  payloadVersion: Type.Optional(PayloadVersion),
  pageSize: Type.Optional(Type.Integer({ minimum: 30, maximum: 100 })),
  nextToken: Type.Optional(Type.String({ maxLength: 1000 })),
})
export type SubscriptionsQuery = Static<typeof SubscriptionsQuery>

export const Subscription = Type.Object({
  subscriptionId: Type.String(),
  payloadVersion: Type.String(),
  destinationId: Type.String(),
  processingDirective: Type.Optional(ProcessingDirective),
})
export type Subscription = Static<typeof Subscription>

export const SubscriptionResponse = Type.Object({ payload: Subscription })
export const SubscriptionsResponse = Type.Object({
  payload: Type.Object({ subscriptions: Type.Array(Subscription), nextToken: Type.Optional(Type.String()) }),
})

export const SendTestNotificationBody = Type.Object({
  destinationId: Id,
  testNotification: Type.Object({
    payloadVersion: PayloadVersion,
    testScenario: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  }),
})
export type SendTestNotificationBody = Static<typeof SendTestNotificationBody>

export const TestNotificationResponse = Type.Object({ payload: Type.Object({}) })

export const Empty = Type.Object({})
