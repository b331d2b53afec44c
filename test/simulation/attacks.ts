import type { ActionContext } from './action-context.ts'
import { isSuccess, type Reply } from './client.ts'
import { US } from './marketplace.ts'
import { type ClientAction, orderIdOf, skuOf } from './steps.ts'

type AttackAction = Extract<ClientAction, { do: 'attack' }>

/** What a hostile client tries. None of it may succeed. */
export async function attack(context: ActionContext, { seller, victim, attack, target }: AttackAction): Promise<void> {
  const { client, marketplace, history, violate } = context
  const victimId = marketplace.sellers[victim]?.sellerId as string
  const last = <Value>(values: Iterable<Value>) => [...values].at(-1)
  const orderId = last([...history.placed].filter(([, placed]) => placed.seller === victim))?.[0] ?? orderIdOf(1)
  // The first seller's own, unless that is who attacks.
  const solicitable = seller === 0 ? orderId : marketplace.solicitable[target]
  const feed = last([...history.feeds.values()].filter((one) => one.seller === victim))
  const report = last([...history.reports.values()].filter((one) => one.seller === victim))
  const listingUrl = `/listings/2021-08-01/items/${victimId}/${skuOf(victim, 0)}?marketplaceIds=${US}`
  const requests: Record<AttackAction['attack'], () => Promise<Reply>> = {
    listingOfAnother: () => client.send(seller, target % 2 ? 'GET' : 'DELETE', listingUrl),
    orderOfAnother: () => client.send(seller, 'GET', `/orders/v0/orders/${orderId}`),
    feedOfAnother: () =>
      client.send(seller, target % 2 ? 'GET' : 'DELETE', `/feeds/2021-06-30/feeds/${feed?.feedId ?? '1'}`),
    reportOfAnother: () =>
      client.send(seller, target % 2 ? 'GET' : 'DELETE', `/reports/2021-06-30/reports/${report?.reportId ?? '1'}`),
    solicitOrderOfAnother: () =>
      client.send(
        seller,
        'POST',
        `/solicitations/v1/orders/${solicitable}/solicitations/productReviewAndSellerFeedback?marketplaceIds=${US}`,
      ),
    shipOrderOfAnother: () =>
      client.send(seller, 'POST', `/orders/v0/orders/${orderId}/shipmentConfirmation`, {
        marketplaceId: US,
        packageDetail: {
          packageReferenceId: '1',
          carrierCode: 'UPS',
          trackingNumber: '1Z',
          shipDate: context.clock.now().toISOString(),
          orderItems: [{ orderItemId: '1', quantity: 1 }],
        },
      }),
    tamperedToken: async () => {
      const token = (await client.sellerToken(seller)) ?? ''
      const tampered = [`${token}x`, token.slice(0, -1), token.toUpperCase(), '', '\\u0000', `${token} ${token}`][
        target
      ]
      return client.sendWith(seller, { 'x-amz-access-token': tampered ?? '' }, 'GET', '/sellers/v1/account')
    },
    brokenJson: async () => {
      const token = (await client.sellerToken(seller)) ?? ''
      const headers = { 'x-amz-access-token': token, 'content-type': 'application/json' }
      const body = ['{', '', '[]', 'null', '{"feedType":', '"\\ud800"'][target]
      return client.sendWith(seller, headers, 'POST', '/feeds/2021-06-30/feeds', body)
    },
    wrongTypes: () =>
      client.send(
        seller,
        'PUT',
        `/listings/2021-08-01/items/${marketplace.sellers[seller]?.sellerId}/${skuOf(seller, 0)}?marketplaceIds=${US}`,
        [
          {},
          { productType: 1 },
          { productType: 'SHOES', attributes: [] },
          [],
          { productType: 'SHOES' },
          { attributes: {} },
        ][target],
      ),
  }
  const reply = await requests[attack]()
  if (isSuccess(reply))
    violate(
      'no attack succeeds',
      `${attack} ${target} by seller ${seller}: ${reply.status} ${reply.body.slice(0, 200)}`,
    )
}
