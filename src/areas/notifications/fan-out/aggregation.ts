/** What was last sent of something, and what waits to be sent of it. */
export interface Window {
  endsAt: Date
  /** The notification that waits for the end, if any. */
  heldDeliveryId: string | undefined
}

export interface ScheduledDelivery {
  dueAt: Date
  window: Window
  /** The notification that was waiting and is told by the new one now. */
  replaces: string | undefined
}

/**
 * When to tell of one more change. The first is told at once; those of the period after it wait for its end, and only
 * the last of them is told then, which begins the next period.
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
