import { sql } from 'kysely'
import type { Dialect } from '../../../platform/database/dialect.ts'
import type { Transaction } from '../../../platform/database/port.ts'
import { queryBuilder } from '../../../platform/database/query.ts'
import { prepareWrite, writeRows } from '../../../platform/database/write-rows.ts'
import type { NotificationTables } from '../tables.ts'
import type { PlannedDelivery } from './delivery.ts'

const db = queryBuilder<NotificationTables>()

const COLUMNS = [
  'application_id',
  'destination_id',
  'delivery_id',
  'event_id',
  'seller_id',
  'subscription_id',
  'notification_type',
  'payload_version',
  'state',
  'due_at',
  'event_time',
  'attempts',
  'payload',
] as const

type DeliveryRow = Pick<
  NotificationTables['deliveries'],
  'application_id' | 'delivery_id' | 'event_id' | 'due_at' | 'event_time'
> & {
  subscription_id: string
  payload_start: string
  payload_end: string
}

const insertForSubscriptions = prepareWrite<DeliveryRow>(
  [
    'application_id',
    'subscription_id',
    'delivery_id',
    'event_id',
    'due_at',
    'event_time',
    'payload_start',
    'payload_end',
  ],
  (given) =>
    db
      .insertInto('deliveries')
      .columns(COLUMNS)
      .expression(
        db
          .selectFrom(given)
          .innerJoin('subscriptions', (join) =>
            join
              .onRef('subscriptions.application_id', '=', 'given.application_id')
              .onRef('subscriptions.subscription_id', '=', 'given.subscription_id'),
          )
          .select([
            'subscriptions.application_id',
            'subscriptions.destination_id',
            'given.delivery_id',
            'given.event_id',
            'subscriptions.seller_id',
            'subscriptions.subscription_id',
            'subscriptions.notification_type',
            'subscriptions.payload_version',
            sql<string>`'PENDING'`.as('state'),
            'given.due_at',
            'given.event_time',
            sql<number>`0`.as('attempts'),
            sql<string>`given.payload_start || given.payload_end`.as('payload'),
          ])
          // SQLite would take the conflict clause for a condition of the join.
          .where(sql<boolean>`true`),
      )
      .onConflict((conflict) => conflict.doNothing()),
  { repeated: ['payload_end'] },
)

/** Writes nothing for deleted subscriptions. */
export async function insertDeliveries(
  tx: Transaction,
  dialect: Dialect,
  deliveries: readonly PlannedDelivery[],
): Promise<void> {
  const rows = deliveries.map((delivery) => ({
    application_id: delivery.applicationId,
    subscription_id: delivery.subscriptionId as string,
    delivery_id: delivery.deliveryId,
    event_id: delivery.eventId,
    due_at: delivery.dueAt.toISOString(),
    event_time: delivery.eventTime.toISOString(),
    payload_start: delivery.payload.start,
    payload_end: delivery.payload.end?.text ?? '',
  }))
  await writeRows(tx, dialect, insertForSubscriptions, rows)
}
