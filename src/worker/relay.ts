import { nextDestinationDueAt } from '../areas/notifications/delivery/destination-lease-store.ts'
import { productTypeChanges } from '../areas/notifications/fan-out/product-type-changes.ts'
import { nextFanOutDueAt } from '../areas/notifications/fan-out/store.ts'
import { Relay } from '../areas/notifications/relay.ts'
import { findOldestSubscriptionTime } from '../areas/notifications/subscriptions/subscription-store.ts'
import { offerChanges } from '../areas/pricing/notifications/offer-change.ts'
import type { WorkerOptions } from '../config/config.ts'
import type { Reader } from '../platform/database/port.ts'
import type { Expanders } from '../platform/outbox/expander.ts'
import { readEvents } from '../platform/outbox/outbox.ts'
import type { WorkerPlatform } from './job-runner.ts'

/** What becomes of events that sellers are not told of as they are. The one place that knows which area tells of which. */
export const expanders: Expanders = {
  PRODUCT_TYPES_CHANGE: productTypeChanges,
  OFFER_CHANGE: offerChanges,
}

/** Starts to tell those who subscribe of what happens. */
export function startRelay(
  platform: WorkerPlatform,
  { leaseSeconds, maxPendingNotifications }: WorkerOptions,
  ownExpanders: Expanders = expanders,
): Relay {
  return new Relay({ ...platform, leaseSeconds, maxPending: maxPendingNotifications, expanders: ownExpanders })
}

/** Whether something is left to tell from the last time. */
export async function hasPendingNotifications(reader: Reader): Promise<boolean> {
  if (await nextDestinationDueAt(reader)) return true
  if ((await findOldestSubscriptionTime(reader)) === undefined) return false
  return (await nextFanOutDueAt(reader)) !== undefined || (await readEvents(reader, 1)).length > 0
}
