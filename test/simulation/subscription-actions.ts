import type { ActionContext } from './action-context.ts'
import { isSuccess } from './client.ts'
import { type ClientAction, NOTIFICATION_TYPES } from './steps.ts'

const SUBSCRIPTIONS = '/notifications/v1/subscriptions'

type SubscriptionAction = Extract<ClientAction, { do: 'subscribe' | 'unsubscribe' }>

export function createSubscriptionActions({ client, history, marketplace, lastEvent }: ActionContext) {
  return {
    async subscribe({ seller, type }: SubscriptionAction) {
      const { transport, payloadVersion } = NOTIFICATION_TYPES[type]
      const body = { payloadVersion, destinationId: marketplace.destinations[transport] }
      const reply = await client.send(seller, 'POST', `${SUBSCRIPTIONS}/${type}`, body)
      if (!isSuccess(reply)) return
      const { payload } = reply.json() as { payload: { subscriptionId: string } }
      const subscription = { seller, type, subscriptionId: payload.subscriptionId, after: 0, isDeleted: false }
      // Before anything is awaited: a step that deletes it may be on its way.
      history.subscriptions.push(subscription)
      subscription.after = await lastEvent()
    },

    async unsubscribe({ seller, type }: SubscriptionAction) {
      const found = await client.send(seller, 'GET', `${SUBSCRIPTIONS}/${type}`)
      if (!isSuccess(found)) return
      const { subscriptionId } = (found.json() as { payload: { subscriptionId: string } }).payload
      const token = await client.grantlessToken()
      if (token === undefined) return
      const known = history.subscriptions.find((one) => one.subscriptionId === subscriptionId)
      if (known) known.isDeleted = true
      const headers = { 'x-amz-access-token': token }
      await client.sendWith(undefined, headers, 'DELETE', `${SUBSCRIPTIONS}/${type}/${subscriptionId}`)
    },
  }
}
