import { ACCOUNT_STATUSES, type Seller } from '../../marketplace/accounts/sellers.ts'
import { EVERY_SELLER, type NewEvent } from '../../platform/outbox/outbox.ts'

type Account = Pick<Seller, 'sellerId' | 'accountStatus'>
const [NORMAL] = ACCOUNT_STATUSES

/** Creates an event for each seller whose account status changes. */
export function createAccountStatusEvents(
  before: readonly Account[],
  after: readonly Account[],
  now: Date,
): NewEvent[] {
  const known = new Map(before.map(({ sellerId, accountStatus }) => [sellerId, accountStatus]))
  return after.flatMap(({ sellerId, accountStatus = NORMAL }) => {
    const previousAccountStatus = known.get(sellerId)
    if (previousAccountStatus === undefined || previousAccountStatus === accountStatus) return []
    const accountStatusChangeNotification = { previousAccountStatus, currentAccountStatus: accountStatus }
    const payload = { accountStatusChangeNotification }
    return [{ sellerId, type: 'ACCOUNT_STATUS_CHANGED', occurredAt: now, payload }]
  })
}

/** Creates one event for all sellers. Fan-out finds the subscribers. */
export function createProductTypesEvent(version: string, newProductTypes: readonly string[], now: Date): NewEvent {
  return {
    sellerId: EVERY_SELLER,
    type: 'PRODUCT_TYPES_CHANGE',
    occurredAt: now,
    payload: { version, newProductTypes },
  }
}
