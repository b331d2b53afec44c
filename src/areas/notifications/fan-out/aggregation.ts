/** The aggregation period after a notification, and the notification that waits for its end. */
export interface Window {
  endsAt: Date
  /** The notification that waits for the end of the period. */
  heldDeliveryId: string | undefined
}

export interface ScheduledDelivery {
  dueAt: Date
  window: Window
  /** The waiting notification that the new one replaces. */
  replaces: string | undefined
}

/**
 * Schedules the notification of a change. The first is sent at once. Later ones wait for the end of the period, when
 * only the last one is sent and starts the next period.
 */
export function scheduleDelivery(
  window: Window | undefined,
  deliveryId: string,
  at: Date,
  periodMilliseconds: number,
): ScheduledDelivery {
  const later = (moment: Date) => new Date(moment.getTime() + periodMilliseconds)
  if (window && at < window.endsAt) {
    return {
      dueAt: window.endsAt,
      window: { endsAt: window.endsAt, heldDeliveryId: deliveryId },
      replaces: window.heldDeliveryId,
    }
  }
  const next = window?.heldDeliveryId === undefined ? undefined : later(window.endsAt)
  if (next && at < next) {
    return { dueAt: next, window: { endsAt: next, heldDeliveryId: deliveryId }, replaces: undefined }
  }
  return { dueAt: at, window: { endsAt: later(at), heldDeliveryId: undefined }, replaces: undefined }
}
